/** A merchant with payments of all types and payouts, which logs the responses to its clients. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, openAccount, type TortureTarget } from './account';
import { goodCard } from './cards';
import type { Client } from './client';
import type { Listener } from './listener';
import { between, pick, type Random, randomFrom } from './random';

/** A final success. Captures and voids have the id of their charge. */
export interface LogLine {
  operation: 'charge' | 'capture' | 'void' | 'voucher' | 'refund' | 'payout';
  id: string;
  amount: number;
}

const PENDING = {
  method: 'card',
  currency: 'COP',
  iva: '19',
  description: 'Torture',
  customer: { name: 'María', email: 'maria@example.com' },
};
const DEVICE = { device_session_id: 'd' };
/** Initial balance for the costs of refunds. */
const FIRST_AMOUNT = 100_000_000;

export class PaidMerchant {
  readonly log: LogLine[] = [];
  private readonly cards: string[] = [];
  private actors = 0;

  private constructor(
    private readonly account: Account,
    private readonly random: Random,
  ) {}

  get id(): string {
    return this.account.id;
  }

  static async create(target: TortureTarget, listener: Listener, seed: number): Promise<PaidMerchant> {
    const merchant = new PaidMerchant(await openAccount(target, listener), randomFrom(seed));
    const { calm } = merchant.account;
    await calm.put('', { bank_account: { bank: 'Bancolombia', type: 'savings', number: '12345678901' } });
    for (let i = 0; i < 4; i++) merchant.cards.push((await calm.post('/cards', goodCard(merchant.random))).body.id);
    await merchant.charge(calm, merchant.cards[0] ?? '', FIRST_AMOUNT);
    // Some responses of the acquirer are lost, before or after the money moved.
    const outcomes = ['approve', 'timeout_after_charge', 3001, 'timeout', 'slow'];
    for (const card of merchant.cards) await calm.post(`/sandbox/cards/${card}/script`, { outcomes });
    return merchant;
  }

  moveClock(to: number): Promise<void> {
    return this.account.calm.moveClock(to);
  }

  /** Runs operations sequentially. */
  async act(stop: AbortSignal): Promise<void> {
    const random = randomFrom(Math.floor(this.random() * 2 ** 32));
    const client = this.account.newClient(`payments${this.actors++}`, random);
    while (!stop.aborted) {
      const dice = random();
      const [amount, card] = [between(random, 1000, 100_000), pick(random, this.cards)];
      if (dice < 0.4) await this.charge(client, card, amount);
      else if (dice < 0.5) await this.payOut(client, amount);
      else if (dice < 0.7) await this.refundSome(client, random);
      else if (dice < 0.76) await this.payInStore(client, amount);
      else if (dice < 0.8) await this.payOnPage(client, amount);
      else await this.authorizeAndThen(client, card, amount, dice < 0.9 ? 'capture' : 'void');
      await sleep(between(random, 20, 400));
    }
  }

  private async charge(client: Client, source_id: string, amount: number): Promise<void> {
    this.add('charge', await this.post(client, '/charges', { ...PENDING, amount, source_id, ...DEVICE }), amount);
  }

  private async payOut(client: Client, amount: number): Promise<void> {
    await client.post('/sandbox/settle', {});
    this.add('payout', await this.post(client, '/payouts', { amount, description: 'Torture' }), amount);
  }

  private async authorizeAndThen(client: Client, source_id: string, amount: number, then: 'capture' | 'void') {
    const charge = await this.post(client, '/charges', { ...PENDING, amount, source_id, ...DEVICE, capture: false });
    if (!charge) return;
    const part = Math.ceil(amount / 2);
    const made =
      then === 'capture'
        ? await this.post(client, `/charges/${charge.id}/capture`, { amount: part })
        : await this.post(client, `/charges/${charge.id}/refund`, {});
    this.add(then, made && charge, then === 'capture' ? part : amount);
  }

  private async payInStore(client: Client, amount: number): Promise<void> {
    const charge = await this.post(client, '/charges', { ...PENDING, amount, method: 'store' });
    if (!charge) return;
    await client.post(`/sandbox/charges/${charge.id}/pay`, {});
    await client.getUntil(`/charges/${charge.id}`, ({ status }) => status === 'completed');
    this.add('voucher', charge, amount);
  }

  /** The payer reloads the page until it shows the payment as paid. */
  private async payOnPage(client: Client, amount: number): Promise<void> {
    const page = { confirm: false, redirect_url: 'https://shop.example/' };
    const charge = await this.post(client, '/charges', { ...PENDING, amount, ...page });
    if (!charge) return;
    const { card_number, holder_name, cvv2 } = goodCard(() => 0.5);
    const form = { card_number, holder_name, cvv2, expiration: '12/65' };
    await client.getUntil(`/charges/${charge.id}`, async ({ status, payment_method }) => {
      const html = await (await fetch(payment_method.url)).text();
      const attempt = /name="attempt" value="(\d+)"/.exec(html)?.[1];
      const body = new URLSearchParams({ ...form, attempt: attempt ?? '' });
      if (attempt) await fetch(payment_method.url, { method: 'POST', body, redirect: 'manual' });
      return status === 'completed' && html.includes('Pago aprobado');
    });
    this.add('charge', charge, amount);
  }

  private async refundSome(client: Client, random: Random): Promise<void> {
    const charges = this.log.filter(({ operation }) => operation === 'charge');
    const charge = pick(random, charges);
    const amount = Math.max(1, Math.floor(charge.amount * random()));
    const answer = await this.post(client, `/charges/${charge.id}/refund`, { amount });
    this.add('refund', answer?.refund, amount);
  }

  private async post(client: Client, path: string, body: object) {
    const answer = await client.post(path, body);
    return answer.status === 200 ? answer.body : undefined;
  }

  private add(operation: LogLine['operation'], made: { id: string } | undefined, amount: number): void {
    if (made) this.log.push({ operation, id: made.id, amount });
  }
}
