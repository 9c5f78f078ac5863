/** Creates settlement reports. Items are journaled with their report, so that each is reported once. */
import { addDays, dayOf, startOfDay } from '../../../../workflows/calendar';
import { APPROVED } from '../../../gateway/acquirer/codes';
import { type ReportedItem, transactionOf } from '../../../gateway/acquirer/settlementReport';
import { groupBy } from '../../../platform/database/batch';
import type { JournaledState } from '../journaledState';
import type { KnownOperation } from '../state';
import type { MadeReport, UnreportedItem } from './unreported';

const MORNING_MS = 6 * 3_600_000;

/** Time of day at which the report of the previous day is created. */
const morningAfter = (day: string): number => startOfDay(addDays(day, 1)) + MORNING_MS;

/** Latest day whose report is due. */
const lastDueDay = (now: number): string => addDays(dayOf(now - MORNING_MS), -1);

export const nextMorning = (now: number): number => morningAfter(addDays(lastDueDay(now), 1));

export class SettlementReports {
  /** Not on disk yet: after a kill, other reports would contain their items. */
  private readonly unwritten = new Set<string>();

  constructor(private readonly journaled: JournaledState) {}

  /**
   * Creates the due reports of a merchant by its test clock. `transactions` limits them, because the clocks of a merchant's
   * customers differ. `isEarly`: all days are due. Returns the IDs of the reports.
   */
  async settle(merchant: string, until: Date, transactions?: readonly string[], isEarly = false): Promise<string[]> {
    const lastDay = lastDueDay(until.getTime());
    const named = transactions && new Set(transactions);
    // Read for each day: another request may create the same reports while one is written.
    const unnamed = () => {
      const items = this.state.of(merchant).filter(item => named?.has(transactionOf(item)) ?? true);
      return groupBy(items, ({ date }) => dayOf(Date.parse(date)));
    };
    const ids: string[] = [];
    for (const day of [...unnamed().keys()].filter(each => isEarly || each <= lastDay).sort())
      ids.push(...(await this.make(day, merchant, unnamed().get(day) ?? [], isEarly ? until : undefined)));
    return ids;
  }

  /** Creates the reports of a real day: all operations recorded until midnight. */
  async settleMorning(now = Date.now()): Promise<void> {
    const day = lastDueDay(now);
    const midnight = new Date(startOfDay(addDays(day, 1))).toISOString();
    const unnamed = () =>
      groupBy(
        this.state.all().filter(({ recorded }) => recorded < midnight),
        item => item.environment,
      );
    for (const environment of unnamed().keys()) await this.make(day, environment, unnamed().get(environment) ?? []);
  }

  /** An accepted chargeback takes back the rest of the charge. */
  async recordChargeback(key: string): Promise<void> {
    const charge = this.journaled.state.findCharge(key);
    if (!charge?.payee || charge.answer.response !== APPROVED) return;
    const amount = (charge.captured ?? charge.amount) - charge.refunded;
    await this.journaled.write({ chargeback: key, amount, payee: charge.payee, ...currentDates(charge) });
  }

  forgetChargeback(key: string): Promise<void> {
    return this.journaled.write({ unmade_chargeback: key });
  }

  unaccepted = (): MadeReport[] => [...this.state.unaccepted.values()].filter(({ id }) => !this.unwritten.has(id));

  markAccepted(id: string): Promise<void> {
    return this.journaled.write({ accepted_report: id });
  }

  private get state() {
    return this.journaled.state.settlement;
  }

  private async make(day: string, name: string, due: UnreportedItem[], until?: Date): Promise<string[]> {
    const items = due.map(({ environment: _, recorded: __, ...item }) => item);
    const latest = Math.max(until?.getTime() ?? Number.POSITIVE_INFINITY, ...items.map(({ date }) => Date.parse(date)));
    const date = new Date(Math.min(morningAfter(day), latest)).toISOString();
    return Promise.all(
      inSafeSums(items).map(async part => {
        const id = this.state.nextId(`${day}-${name}`);
        this.unwritten.add(id);
        await this.journaled.write({ report: { id, day, date, items: part } });
        this.unwritten.delete(id);
        return id;
      }),
    );
  }
}

/** Splits reports so that each total is a safe integer. */
function inSafeSums(items: readonly ReportedItem[]): ReportedItem[][] {
  const reports: ReportedItem[][] = [];
  let sum = Number.POSITIVE_INFINITY;
  for (const item of items) {
    sum += Math.abs(item.amount);
    if (sum > Number.MAX_SAFE_INTEGER) {
      reports.push([]);
      sum = Math.abs(item.amount);
    }
    reports.at(-1)?.push(item);
  }
  return reports;
}

/** Current real time, and the time by the operation's test clock. */
export function currentDates({ date, time }: Pick<KnownOperation, 'date' | 'time'>): { date: string; time: string } {
  const now = Date.now();
  return { date: new Date(now + Date.parse(date) - Date.parse(time)).toISOString(), time: new Date(now).toISOString() };
}
