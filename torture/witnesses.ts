/**
 * What must be true at the end. Three witnesses tell which charges there were: our rows, the journal of the acquirer,
 * and the events that the merchants' webhook accepted. And the rules of billing say what every subscription should be.
 */
import type { Client } from 'pg';
import type { JournalEntry } from '../src/local/simulator/state';
import { billingOffset, type Day, dayOf, nthChargeDay, type RepeatUnit, startOfDay } from '../workflows/calendar';
import type { Listener } from './listener';
import type { TorturedMerchant } from './merchant';

interface SubscriptionState {
  id: string;
  merchant_id: string;
  status: string;
  reason: string | null;
  first_charge_day: Day;
  current_period_number: number;
  due_at: Date;
  now: Date;
  cancel_at_period_end: boolean;
  amount: string;
  repeat_every: number;
  repeat_unit: RepeatUnit;
  retry_times: number;
}

interface PeriodCharge {
  id: string;
  subscription_id: string;
  period: number;
  status: string;
  amount: string;
  creation_date: Date;
}

const TAKEN = ['completed', 'refunded'];

export class Witnesses {
  readonly problems: string[] = [];
  renewals = 0;

  constructor(
    private readonly client: Client,
    private readonly acquirerUrl: string,
    private readonly merchants: readonly TorturedMerchant[],
    private readonly listener: Listener,
  ) {}

  async hear(): Promise<void> {
    this.problems.push(...this.listener.problems);
    await this.compareCharges();
    await this.compareEvents();
    await this.recomputeSubscriptions();
  }

  private async rows<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.client.query<Row>(sql)).rows;
  }

  private async compareCharges(): Promise<void> {
    const journal = await this.readJournal();
    const reversed = new Set(journal.filter(({ operation }) => operation === 'reverse').map(({ key }) => key));
    const standing = journal.filter(
      ({ operation, outcome, key }) => operation === 'charge' && outcome === 'approved' && !reversed.has(key),
    );
    const rows = await this.rows<{ id: string }>(
      `select id from transactions where transaction_type = 'charge' and status in ('completed', 'refunded')`,
    );
    const told = [...this.listener.accepted.values()].flatMap(events =>
      [...events.values()].flatMap(({ event }) =>
        event.type === 'charge.succeeded' && event.transaction ? [event.transaction.id] : [],
      ),
    );
    const witnesses = {
      'our rows': rows.map(({ id }) => id),
      "the acquirer's journal": standing.map(({ key }) => key),
      'the webhooks': told,
    };
    for (const [name, ids] of Object.entries(witnesses)) {
      const seen = new Set<string>();
      for (const id of ids) {
        if (seen.has(id)) this.problems.push(`charge ${id} is twice in ${name}`);
        seen.add(id);
      }
      for (const [other, otherIds] of Object.entries(witnesses))
        for (const id of otherIds) if (!seen.has(id)) this.problems.push(`charge ${id} is in ${other}, not in ${name}`);
    }
  }

  /** Every event arrived, and nothing else. */
  private async compareEvents(): Promise<void> {
    const events = await this.rows<{ id: string; merchant_id: string; type: string; isOwed: boolean }>(
      `select e.id, e.merchant_id, e.type, d.id is not null as "isOwed"
       from events e left join deliveries d on d.event_id = e.id where e.type <> 'verification'`,
    );
    for (const { id, merchant_id, type, isOwed } of events)
      if (isOwed && !this.listener.accepted.get(merchant_id)?.has(id))
        this.problems.push(`event ${id} (${type}) never arrived`);
    const known = new Set(events.map(({ id }) => id));
    for (const arrived of this.listener.accepted.values())
      for (const id of arrived.keys()) if (!known.has(id)) this.problems.push(`event ${id} arrived and does not exist`);
  }

  private async recomputeSubscriptions(): Promise<void> {
    const subscriptions = await this.rows<SubscriptionState>(
      `select s.*, p.amount, p.repeat_every, p.repeat_unit, p.retry_times,
         now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) as now
       from subscriptions s join plans p on p.id = s.plan_id join merchants m on m.id = s.merchant_id
         join customers c on c.id = s.customer_id`,
    );
    const charges = await this.rows<PeriodCharge>(
      `select id, subscription_id, period, status, amount, creation_date from transactions
       where subscription_id is not null order by creation_date, period`,
    );
    const bySubscription = new Map<string, PeriodCharge[]>();
    for (const charge of charges)
      bySubscription.set(charge.subscription_id, [...(bySubscription.get(charge.subscription_id) ?? []), charge]);
    const rows = new Map(subscriptions.map(subscription => [subscription.id, subscription]));
    const known = this.merchants.flatMap(merchant => merchant.subscriptions);
    for (const { id, isCancelled } of known) {
      const status = rows.get(id)?.status;
      if (!status || (isCancelled && status !== 'cancelled'))
        this.problems.push(`subscription ${id} is ${status ?? 'lost'}${isCancelled ? ' and was cancelled' : ''}`);
    }
    const knownIds = new Set(known.map(({ id }) => id));
    for (const subscription of subscriptions) {
      if (!knownIds.has(subscription.id)) this.problems.push(`nobody was told of subscription ${subscription.id}`);
      const wrong = recompute(subscription, bySubscription.get(subscription.id) ?? []);
      this.problems.push(...wrong.map(text => `subscription ${subscription.id} (${subscription.status}) ${text}`));
    }
    this.renewals = charges.filter(({ status, period }) => TAKEN.includes(status) && period > 1).length;
  }

  private async readJournal(): Promise<JournalEntry[]> {
    const journal: JournalEntry[] = [];
    for (;;) {
      const after = journal.at(-1)?.sequence ?? 0;
      const page = (await (
        await fetch(`${this.acquirerUrl}/journal?limit=1000&after=${after}`)
      ).json()) as JournalEntry[];
      journal.push(...page);
      if (page.length < 1000) return journal;
    }
  }
}

/** What is wrong with a subscription by the calendar alone, whatever its row believes. */
function recompute(subscription: SubscriptionState, charges: readonly PeriodCharge[]): string[] {
  const { id, status, first_charge_day, current_period_number: period, repeat_every, repeat_unit } = subscription;
  const problems: string[] = [];
  const dayOfPeriod = (n: number): Day => nthChargeDay(first_charge_day, n, repeat_every, repeat_unit);
  const now = subscription.now.getTime();
  const isPast = (n: number): boolean => startOfDay(dayOfPeriod(n)) + billingOffset(id) < now;
  const taken = charges.filter(charge => TAKEN.includes(charge.status));
  const paid = taken.map(charge => charge.period);
  if (paid.some((n, i) => n !== i + 1)) problems.push(`paid periods ${paid.join(' ')}`);
  for (const charge of charges) {
    if (charge.amount !== subscription.amount)
      problems.push(`was charged ${charge.amount} for period ${charge.period}`);
    if (dayOf(charge.creation_date.getTime()) < dayOfPeriod(charge.period))
      problems.push(`was charged for period ${charge.period} before ${dayOfPeriod(charge.period)}`);
  }
  const open = charges.filter(charge => charge.status === 'in_progress');
  if (open.length > 0) problems.push(`still has open charges`);
  if (status === 'cancelled') return problems;
  if (status === 'new') problems.push('has never begun');
  if (status === 'trial' && (period !== 0 || isPast(1))) problems.push(`should have been charged on ${dayOfPeriod(1)}`);
  if (status === 'active' && (paid.length !== period || isPast(period + 1)))
    problems.push(`has paid ${paid.length} periods of ${period}, and the next was due on ${dayOfPeriod(period + 1)}`);
  if (['past_due', 'unpaid'].includes(status) && (paid.length !== period - 1 || subscription.due_at.getTime() < now))
    problems.push(
      `has paid ${paid.length} periods before ${period}, and is due at ${subscription.due_at.toISOString()}`,
    );
  return problems;
}
