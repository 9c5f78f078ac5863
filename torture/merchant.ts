/** A merchant with subscriptions of all plan types, random operations and a moving clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMAND_LINE } from '../src/accounts/merchants/accounts';
import { resumeMerchant, suspendMerchant } from '../src/accounts/merchants/suspension';
import type { Database } from '../src/platform/database/connection';
import { addDays, DAY_MS, dayOf } from '../workflows/calendar';
import { type Account, openAccount, type TortureTarget } from './account';
import { decliningCard, goodCard } from './cards';
import type { Answer, Client } from './client';
import type { Listener } from './listener';
import { payOtherwise } from './payersPage';
import { between, pick, type Random, randomFrom } from './random';

const MAX_LIVE = 25;
const MAX_DAYS_PER_MOVE = 30;

interface Customer {
  path: string;
  card_id: string;
}

/** State of a subscription that the client knows for certain. */
export interface KnownSubscription {
  id: string;
  customer: Customer;
  path: string;
  isCancelled: boolean;
}

export class TorturedMerchant {
  readonly subscriptions: KnownSubscription[] = [];
  moves = 0;
  suspensions = 0;
  /** Position or target of its clock. */
  clock = Date.now();
  private readonly plans: string[] = [];
  private readonly coupons: string[] = [];
  private readonly customers: Customer[] = [];
  private actors = 0;

  private constructor(
    private readonly account: Account,
    private readonly db: Database,
    private readonly random: Random,
  ) {}

  get id(): string {
    return this.account.id;
  }

  static async create(target: TortureTarget, listener: Listener, seed: number): Promise<TorturedMerchant> {
    const merchant = new TorturedMerchant(await openAccount(target, listener), target.db, randomFrom(seed));
    const { calm } = merchant.account;
    for (const plan of planShapes(merchant.random)) merchant.plans.push((await calm.post('/plans', plan)).body.id);
    for (const coupon of COUPONS) merchant.coupons.push((await calm.post('/coupons', coupon)).body.code);
    return merchant;
  }

  /** Runs random operations sequentially. */
  async act(stop: AbortSignal): Promise<void> {
    const random = randomFrom(Math.floor(this.random() * 2 ** 32));
    const client = this.account.newClient(`actor${this.actors++}`, random);
    while (!stop.aborted) {
      const live = this.subscriptions.filter(({ isCancelled }) => !isCancelled);
      if (live.length === 0 || (live.length < MAX_LIVE && random() < 0.35)) await this.subscribe(client, random);
      else await this.disturb(client, random, pick(random, live));
      await sleep(between(random, 20, 400));
    }
  }

  async moveClockOn(stop: AbortSignal): Promise<void> {
    const random = randomFrom(Math.floor(this.random() * 2 ** 32));
    const client = this.account.newClient('clock', random);
    while (!stop.aborted) {
      const now = Date.parse((await client.get('/sandbox/clock')).body.now);
      await this.moveClock(now + between(random, 1, MAX_DAYS_PER_MOVE * 24) * (DAY_MS / 24), client);
      await sleep(between(random, 0, 1000));
    }
  }

  async moveClock(to: number, client = this.account.calm): Promise<void> {
    this.clock = Math.max(this.clock, to);
    await client.moveClock(to);
    this.moves += 1;
  }

  async suspendNowAndThen(stop: AbortSignal): Promise<void> {
    const random = randomFrom(Math.floor(this.random() * 2 ** 32));
    for (;;) {
      await sleep(between(random, 8000, 30_000), undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return;
      const reason = `the ${++this.suspensions}. time`;
      await untilDone(() => suspendMerchant(this.db, COMMAND_LINE, this.id, reason));
      await sleep(between(random, 2000, 8000), undefined, { signal: stop }).catch(() => undefined);
      await untilDone(() => resumeMerchant(this.db, COMMAND_LINE, this.id));
    }
  }

  private async subscribe(client: Client, random: Random): Promise<void> {
    const customer = await this.someCustomer(client, random);
    if (!customer) return;
    const source =
      random() < 0.6
        ? { source_id: customer.card_id }
        : { card: random() < 0.5 ? decliningCard(random) : goodCard(random) };
    const trial = random() < 0.2 ? { trial_end_date: addDays(dayOf(this.clock), between(random, -3, 20)) } : {};
    const price = { quantity: between(random, 1, 3), ...(random() < 0.2 && { coupon: pick(random, this.coupons) }) };
    const body = { plan_id: pick(random, this.plans), ...source, ...trial, ...price };
    const { status, body: made } = await client.post(`${customer.path}/subscriptions`, body);
    if (status !== 201) return;
    const path = `${customer.path}/subscriptions/${made.id}`;
    this.subscriptions.push({ id: made.id, customer, path, isCancelled: made.status === 'cancelled' });
  }

  private async someCustomer(client: Client, random: Random): Promise<Customer | undefined> {
    if (this.customers.length > 0 && random() < 0.7) return pick(random, this.customers);
    const person = { name: 'María', email: 'maria@example.com', requires_account: false };
    const { status, body } = await client.post('/customers', person);
    if (status !== 201) return undefined;
    const path = `/customers/${body.id}`;
    const saved = await client.post(`${path}/cards`, random() < 0.2 ? decliningCard(random) : goodCard(random));
    if (saved.status !== 201) return undefined;
    const customer = { path, card_id: saved.body.id };
    this.customers.push(customer);
    return customer;
  }

  private async disturb(client: Client, random: Random, subscription: KnownSubscription): Promise<void> {
    const { path, customer } = subscription;
    const dice = random();
    const change = (body: object): Promise<Answer> => client.put(path, body);
    if (dice < 0.15) await change({ card: goodCard(random) });
    else if (dice < 0.22) await change({ card: decliningCard(random) });
    else if (dice < 0.27) await change({ source_id: customer.card_id });
    else if (dice < 0.45) await this.changePrice(client, random, path);
    else if (dice < 0.5) await client.post(`${path}/retry`, {});
    else if (dice < 0.54) await this.pause(client, random, path);
    else if (dice < 0.59) await client.post(`${path}/resume`, {});
    else if (dice < 0.66) await change({ cancel_at_period_end: random() < 0.4 });
    else if (dice < 0.7) await change({ trial_end_date: addDays(dayOf(this.clock), between(random, -2, 15)) });
    else if (dice < 0.78) await this.script(client, random, customer);
    else if (dice < 0.85) await payOtherwise(client, random, path);
    else if (dice < 0.92) await this.payOnce(client, random, customer);
    else if (dice < 0.99) await this.cancel(client, subscription);
    else await this.deleteCustomer(client, customer);
  }

  private async changePrice(client: Client, random: Random, path: string): Promise<void> {
    const dice = random();
    const coupon = pick(random, this.coupons);
    const when = random() < 0.7 ? 'now' : 'period_end';
    const terms = random() < 0.5 ? { plan_id: pick(random, this.plans) } : { quantity: between(random, 1, 3) };
    const change = { ...terms, when, credit: random() < 0.9, ...(random() < 0.2 && { coupon }) };
    if (dice < 0.65) await client.post(`${path}/change`, change);
    else if (dice < 0.7) await client.delete(`${path}/change`);
    else if (dice < 0.8) await client.post(`${path}/coupon`, { coupon });
    else if (dice < 0.83) await client.delete(`${path}/coupon`);
    else await client.post(`${path}/extras`, { description: 'Torture', amount: between(random, 1, 9000) - 4000.5 });
  }

  private pause(client: Client, random: Random, path: string): Promise<Answer> {
    const resume_date = random() < 0.7 ? addDays(dayOf(this.clock), between(random, 1, 90)) : null;
    return client.post(`${path}/pause`, { resume_date });
  }

  /** Scripts the outcomes of the next charges to the saved card. */
  private script(client: Client, random: Random, { card_id }: Customer): Promise<Answer> {
    const outcomes = Array.from({ length: between(random, 1, 5) }, () =>
      pick(random, ['approve', 'approve', 'approve', 3001, 3003, 3004, 'timeout', 'timeout_after_charge', 'slow']),
    );
    return client.post(`/sandbox/cards/${card_id}/script`, { outcomes });
  }

  private async payOnce(client: Client, random: Random, { path, card_id }: Customer): Promise<void> {
    const amount = between(random, 1000, 90_000);
    const details = { method: 'card', currency: 'COP', iva: '19', description: 'Torture', device_session_id: 'd' };
    const { status, body } = await client.post(`${path}/charges`, { ...details, amount, source_id: card_id });
    if (status === 200 && random() < 0.5) await client.post(`${path}/charges/${body.id}/refund`, {});
  }

  /** 404: an earlier DELETE without a response succeeded, or the subscription was cancelled otherwise. */
  private async cancel(client: Client, subscription: KnownSubscription): Promise<void> {
    const { status } = await client.delete(subscription.path);
    if (status === 204 || status === 404) subscription.isCancelled = true;
  }

  private async deleteCustomer(client: Client, customer: Customer): Promise<void> {
    const { status } = await client.delete(customer.path);
    if (status !== 204 && status !== 404) return;
    this.customers.splice(this.customers.indexOf(customer), 1);
    for (const subscription of this.subscriptions)
      if (subscription.customer === customer) subscription.isCancelled = true;
  }
}

const COUPONS = [
  { code: 'FOREVER', percent_off: 12.5, duration: 'forever' },
  { code: 'TWICE', amount_off: 20_000.5, duration: 'periods', periods: 2 },
  { code: 'FREE', percent_off: 100, duration: 'once', max_redemptions: 20 },
];

/** All units with all final statuses, with and without trial, and various retry counts. */
function planShapes(random: Random): object[] {
  return ['week', 'month', 'year'].flatMap(repeat_unit =>
    ['unpaid', 'cancelled'].flatMap(status_after_retry =>
      [0, 1, between(random, 2, 20)].map(trial_days => ({
        name: `${repeat_unit} ${status_after_retry}`,
        amount: between(random, 1000, 99_000) + 0.5,
        repeat_every: between(random, 1, repeat_unit === 'week' ? 5 : 2),
        repeat_unit,
        retry_times: pick(random, [0, 1, 3, 5, 20]),
        status_after_retry,
        trial_days,
      })),
    ),
  );
}

/** Repeats operator requests without a response, which may have succeeded. */
async function untilDone(work: () => Promise<void>): Promise<void> {
  for (;;) {
    const error = await work().then(
      () => undefined,
      (reason: { kind?: string }) => reason,
    );
    if (!error || error.kind === 'not_allowed') return;
    await sleep(500);
  }
}
