/** Payers' decisions on vouchers, bank payments and Bre-B payments. The first decision is final. */
import type { BankOrder } from '../../gateway/acquirer/port';
import { buildAnswer } from './answers';
import type { JournaledState } from './journaledState';
import { isPaidLater } from './operations';
import { currentDates } from './settlement/reports';
import type { SimulatedAnswer } from './state';

/** A payment as the page of the payer's bank shows it. */
export interface BankPayment extends BankOrder {
  key: string;
  amount: number;
  /** Already decided or withdrawn. */
  isClosed: boolean;
}

export class PayerDecisions {
  constructor(private readonly journaled: JournaledState) {}

  /** Returns false if the payment is unknown or closed. `date` is by the test clock, if known. */
  async decide(key: string, isPaid: boolean, date?: string): Promise<boolean> {
    const { state } = this.journaled;
    await this.journaled.waitForWrites(key);
    const issued = state.operations.get(key);
    if (!issued || !isPaidLater(issued.operation) || issued.decision || state.reversed.has(key)) return false;
    const answer = buildAnswer(isPaid ? undefined : 'transfer_refused');
    const { operation, amount, card } = issued;
    const entry = this.journaled.buildEntry({ operation, key: `${key}-paid`, amount, card }, answer);
    await this.journaled.write({ entry, answer, decides: key, date: date ?? currentDates(issued).date }, key);
    return true;
  }

  decisionOn = (key: string): SimulatedAnswer | undefined => this.journaled.state.operations.get(key)?.decision;

  /** Keys of decided payments without an accepted notification. */
  unnotified = (): string[] => [...this.journaled.state.unnotified];

  markNotified(key: string): Promise<void> {
    return this.journaled.write({ heard: key });
  }

  paymentOf(page: string): BankPayment | undefined {
    const { state } = this.journaled;
    const key = state.keysByPage.get(page) ?? '';
    const { order, amount, decision } = state.operations.get(key) ?? {};
    if (!order || amount === undefined) return undefined;
    return { ...order, key, amount, isClosed: decision !== undefined || state.reversed.has(key) };
  }
}
