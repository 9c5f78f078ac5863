/**
 * Invariants at the end of a run. Compares four sources of payments: our rows, the acquirer's journal, the events accepted by
 * the webhook, and the log of the clients. Recomputes each subscription by the billing rules.
 */
import type { Client } from 'pg';
import type { JournalEntry } from '../src/local/simulator/state';
import { ISSUED_METHODS } from '../src/payments/methods/methods';
import { readJournal } from './journal';
import type { Listener } from './listener';
import type { TorturedMerchant } from './merchant';
import type { PaidMerchant } from './payments';
import { type PeriodCharge, recompute, type SubscriptionState, TAKEN } from './recompute';

interface EventRow {
  id: string;
  merchant_id: string;
  type: string;
  object_id: string;
  isOwed: boolean;
  attempts: number;
}

/** An approved operation and its transaction. */
type Standing = Pick<JournalEntry, 'operation' | 'amount'> & { id: string };

/** Operations that pay a charge. */
const ISSUED = ISSUED_METHODS.map(({ operation }) => operation as string);
const PAID_BY = new Set<string>(['charge', 'capture', ...ISSUED]);

export class Witnesses {
  readonly problems: string[] = [];
  renewals = 0;

  constructor(
    private readonly client: Client,
    private readonly acquirerUrl: string,
    private readonly merchants: readonly TorturedMerchant[],
    private readonly payments: PaidMerchant,
    private readonly listener: Listener,
  ) {}

  async hear(): Promise<void> {
    this.problems.push(...this.listener.problems);
    const standing = await this.readStanding();
    await this.compareCharges(standing);
    await this.comparePayments(standing);
    await this.compareEvents();
    await this.recomputeSubscriptions();
    await this.countRedemptions();
  }

  private async rows<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.client.query<Row>(sql)).rows;
  }

  private async compareCharges(standing: Standing[]): Promise<void> {
    const rows = await this.rows<{ id: string }>(
      `select id from transactions where transaction_type = 'charge' and status in ('completed', 'refunded')`,
    );
    const notified = [...this.listener.accepted.values()].flatMap(events =>
      [...events.values()].flatMap(({ event }) =>
        event.type === 'charge.succeeded' && event.transaction ? [event.transaction.id] : [],
      ),
    );
    this.compare('charge', {
      'our rows': rows.map(({ id }) => id),
      "the acquirer's journal": standing.filter(({ operation }) => PAID_BY.has(operation)).map(({ id }) => id),
      'the webhooks': notified,
    });
  }

  /** Responses to the clients, line by line. */
  private async comparePayments(standing: Standing[]): Promise<void> {
    const { id, log } = this.payments;
    const rows = await this.rows<{ id: string; type: string; status: string; amount: string; order_id: string | null }>(
      `select id, transaction_type as type, status, amount, order_id from transactions where merchant_id = '${id}'`,
    );
    const line = (kind: string, of: string, centavos: number): string => `${kind} ${of} ${centavos}`;
    this.compare('payment', {
      'the log of the clients': log.map(({ operation, id, amount }) =>
        line(PAID_BY.has(operation) ? 'charge' : operation, id, amount * 100),
      ),
      'our rows': rows
        .filter(({ status }) => [...TAKEN, 'cancelled'].includes(status))
        .map(({ id, type, status, amount }) => line(status === 'cancelled' ? 'void' : type, id, Number(amount))),
    });
    const own = new Set(rows.map(row => row.id));
    const voided = new Set(log.filter(({ operation }) => operation === 'void').map(({ id }) => id));
    this.compare('operation', {
      'the log of the clients': log
        .filter(({ operation }) => operation !== 'void')
        .map(({ operation, id, amount }) => line(operation, id, amount * 100)),
      "the acquirer's journal": standing
        .filter(({ operation, id }) => own.has(id) && (operation !== 'authorize' || voided.has(id)))
        .map(({ operation, id, amount }) => line(operation, id, amount)),
    });
    const orders = rows.flatMap(({ order_id, status }) => (order_id && status !== 'failed' ? [order_id] : []));
    this.compare('order', { 'our rows': orders });
  }

  /** Each source contains each payment once, and all contain the same payments. */
  private compare(what: string, accounts: Record<string, string[]>): void {
    for (const [name, ids] of Object.entries(accounts)) {
      const seen = new Set<string>();
      for (const id of ids) {
        if (seen.has(id)) this.problems.push(`${what} ${id} is twice in ${name}`);
        seen.add(id);
      }
      for (const [other, otherIds] of Object.entries(accounts))
        for (const id of otherIds)
          if (!seen.has(id)) this.problems.push(`${what} ${id} is in ${other}, not in ${name}`);
    }
  }

  /** Exactly the stored events arrived. */
  private async compareEvents(): Promise<void> {
    const events = await this.rows<EventRow>(
      `select e.id, e.merchant_id, e.type, e.object_id, d.id is not null as "isOwed",
         (select count(*)::integer from delivery_attempts a where a.sequence = d.sequence) as attempts
       from events e left join deliveries d on d.event_id = e.id where e.type <> 'verification'
       order by e.xact, e.sequence`,
    );
    for (const { id, merchant_id, type, isOwed } of events)
      if (isOwed && !this.listener.accepted.get(merchant_id)?.has(id))
        this.problems.push(`event ${id} (${type}) never arrived`);
    const known = new Set(events.map(({ id }) => id));
    for (const arrived of this.listener.accepted.values())
      for (const id of arrived.keys()) if (!known.has(id)) this.problems.push(`event ${id} arrived and does not exist`);
    this.compareOrder(events);
  }

  /** Events of an object that succeeded at the first attempt arrived in order. */
  private compareOrder(events: readonly EventRow[]): void {
    const positions = new Map(
      [...this.listener.accepted.values()].flatMap(arrived =>
        [...arrived.keys()].map((id, position) => [id, position]),
      ),
    );
    const latest = new Map<string, number>();
    for (const { id, object_id } of events.filter(event => event.attempts === 1)) {
      const position = positions.get(id) ?? 0;
      if (position < (latest.get(object_id) ?? 0)) this.problems.push(`event ${id} of ${object_id} came too early`);
      latest.set(object_id, position);
    }
  }

  private async recomputeSubscriptions(): Promise<void> {
    const subscriptions = await this.rows<SubscriptionState>(
      `select s.*, p.repeat_every, p.repeat_unit, p.retry_times,
         (select array_agg(amount::text) from plans where merchant_id = s.merchant_id) as prices,
         array(select period from subscription_lines where subscription_id = s.id and event = 'covered') as covered,
         array(select transaction_id from subscription_lines
           where subscription_id = s.id and event in ('change_declined', 'change_not_made')) as failed_changes,
         (select coalesce(-sum((details ->> 'amount')::bigint), 0)::text from subscription_lines
           where subscription_id = s.id and event = 'extra_added' and (details ->> 'amount')::bigint < 0) as courtesies,
         now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) as now
       from subscriptions s join plans p on p.id = s.plan_id join merchants m on m.id = s.merchant_id
         join customers c on c.id = s.customer_id`,
    );
    const charges = await this.rows<PeriodCharge>(
      `select id, subscription_id, period, status, amount, invoice, creation_date from transactions
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
      if (!knownIds.has(subscription.id)) this.problems.push(`no client created subscription ${subscription.id}`);
      const wrong = recompute(subscription, bySubscription.get(subscription.id) ?? []);
      this.problems.push(...wrong.map(text => `subscription ${subscription.id} (${subscription.status}) ${text}`));
    }
    this.renewals = charges.filter(({ status, period }) => TAKEN.includes(status) && period > 1).length;
  }

  /** A coupon that a subscription has was redeemed, and no reservation of a failed change is left. */
  private async countRedemptions(): Promise<void> {
    const wrong = await this.rows<{ code: string; redemptions: number; redeemed: number }>(
      `select code, redemptions, redeemed from coupons, lateral (
         select (select count(*)::integer from subscriptions where discount ->> 'coupon_id' = coupons.id
             and not exists (select from subscription_lines l where l.subscription_id = subscriptions.id
               and l.event = 'coupon_added' and l.details ->> 'code' = coupons.code))
           + (select count(*)::integer from subscription_lines l join subscriptions s on s.id = l.subscription_id
               where s.merchant_id = coupons.merchant_id and l.event = 'coupon_added' and l.details ->> 'code' = coupons.code)
           as redeemed) as counted
       where redemptions < redeemed or redemptions > max_redemptions`,
    );
    for (const { code, redemptions, redeemed } of wrong)
      this.problems.push(`coupon ${code} has ${redemptions} redemptions and was redeemed ${redeemed} times`);
  }

  /** Approved operations that were not reversed. Verifications and unpaid instructions move no money. */
  private async readStanding(): Promise<Standing[]> {
    const journal = await readJournal(this.acquirerUrl);
    const reversed = new Set(journal.filter(({ operation }) => operation === 'reverse').map(({ key }) => key));
    return journal
      .filter(({ operation, outcome, key }) => {
        const isPending = operation === 'verify' || (ISSUED.includes(operation) && !key.endsWith('-paid'));
        return outcome === 'approved' && operation !== 'reverse' && !isPending && !reversed.has(key);
      })
      .map(({ operation, key, amount }) => ({ operation, id: key.replace(/-.*/, ''), amount }));
  }
}
