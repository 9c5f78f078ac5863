/** A load of money operations by several clients that log what they sent and got, while the parts of the stack are killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '../../../src/embedded/credentials';
import { visa } from '../cards/testCards';
import { payOnPage } from '../merchant/merchantCalls';
import { type Answer, ask } from '../servers/api';
import type { Home } from '../servers/localInstallation';

/** Small, seeded, good enough to choose with. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export type Operation = 'charge' | 'reserve' | 'capture' | 'void' | 'refund' | 'voucher' | 'pay' | 'redirect' | 'page';

/** A line of a client's log: what it asked for, and the last word it got. */
export interface Line {
  operation: Operation;
  key: string;
  amount: number;
  status: number;
  code?: number;
  id?: string;
  of?: string;
}

const PARTS = ['api', 'worker', 'acquirer', 'postgres'] as const;

/** Which part dies when, in milliseconds from the one before. */
export const schedule = (random: () => number, kills: number): { part: (typeof PARTS)[number]; after: number }[] =>
  Array.from({ length: kills }, () => ({
    part: PARTS[Math.floor(random() * PARTS.length)] ?? 'api',
    after: 500 + Math.floor(random() * 1500),
  }));

export async function killOneAfterAnother(home: Home, plan: ReturnType<typeof schedule>): Promise<number> {
  let killed = 0;
  for (const { part, after } of plan) {
    await sleep(after);
    try {
      process.kill((await home.process(part)).pid, 'SIGKILL');
      killed += 1;
    } catch {
      // It is just being started again: the next one will do.
    }
  }
  return killed;
}

export class Client {
  readonly log: Line[] = [];
  private count = 0;

  constructor(
    private readonly name: string,
    private readonly credentials: Credentials,
    private readonly card: string,
    private readonly random: () => number,
  ) {}

  /** One operation after the other, each asked again under its key until there is a last word. */
  async work(operations: number, begun: () => void): Promise<void> {
    while (this.log.length < operations) {
      begun();
      const dice = this.random();
      const amount = 1000 + Math.floor(this.random() * 100_000);
      if (dice < 0.5) await this.charge('charge', amount);
      else if (dice < 0.7) await this.refundSomething();
      else if (dice < 0.76) await this.payInStore(amount);
      else if (dice < 0.8) await this.payOnPage(amount);
      else await this.reserveAndThen(amount, dice < 0.9 ? 'capture' : 'void');
    }
  }

  private charge(operation: 'charge' | 'reserve', amount: number): Promise<Line> {
    const order_id = `${this.name}-${this.count}`;
    const customer = { name: 'María', email: 'maria@example.com' };
    const body = { method: 'card', amount, currency: 'COP', iva: '19', description: 'Torture', device_session_id: 'd' };
    const capture = operation === 'charge';
    return this.ask(operation, '/charges', { ...body, source_id: this.card, customer, order_id, capture }, amount);
  }

  private async reserveAndThen(amount: number, operation: 'capture' | 'void'): Promise<void> {
    const { id, status } = await this.charge('reserve', amount);
    if (status !== 200 || !id) return;
    const part = operation === 'capture' && this.random() < 0.5 ? Math.ceil(amount / 2) : amount;
    if (operation === 'capture') await this.ask('capture', `/charges/${id}/capture`, { amount: part }, part, id);
    else await this.ask('void', `/charges/${id}/refund`, {}, amount, id);
  }

  /** A voucher is paid when its charge says so: the acquirer tells of it again until it was heard. */
  private async payInStore(amount: number): Promise<void> {
    const { id, status } = await this.ask('voucher', '/charges', { ...later(amount), method: 'store' }, amount);
    if (status !== 200 || !id) return;
    await this.insist(`/sandbox/charges/${id}/pay`, {}, `${this.name}-${this.count++}`);
    await this.until(async () => (await this.read(id)).status === 'completed');
    this.log.push({ operation: 'pay', key: id, amount, status: 200, of: id });
  }

  /** As a payer does who loads the page again whenever it does not answer. */
  private async payOnPage(amount: number): Promise<void> {
    const page = { ...later(amount), confirm: false, redirect_url: 'https://shop.example/' };
    const { id, status } = await this.ask('redirect', '/charges', page, amount);
    if (status !== 200 || !id) return;
    const { url } = (await this.read(id)).payment_method;
    await this.until(async () => {
      const shown = await (await fetch(url)).text();
      const attempt = /name="attempt" value="(\d+)"/.exec(shown)?.[1];
      if (attempt) await payOnPage(url, {}, Number(attempt));
      return shown.includes('Pago aprobado');
    });
    this.log.push({ operation: 'page', key: id, amount, status: 200, of: id });
  }

  private async read(id: string) {
    const { url, merchant_id, private_key: key } = this.credentials;
    return (await ask(`${url}/v1/${merchant_id}/charges/${id}`, 'GET', { key })).body;
  }

  private async until(isSo: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + 180_000; ; await sleep(200)) {
      if (await isSo().catch(() => false)) return;
      if (Date.now() > deadline) throw new Error('not paid within three minutes');
    }
  }

  private async refundSomething(): Promise<void> {
    const charges = this.log.filter(({ operation, status }) => operation === 'charge' && status === 200);
    const chosen = charges[Math.floor(this.random() * charges.length)];
    if (!chosen?.id) return;
    const amount = Math.max(1, Math.floor(chosen.amount * this.random()));
    await this.ask('refund', `/charges/${chosen.id}/refund`, { amount }, amount, chosen.id);
  }

  private async ask(operation: Operation, path: string, body: object, amount: number, of?: string): Promise<Line> {
    const key = `${this.name}-${this.count++}`;
    const { status, body: said } = await this.insist(path, body, key);
    const id = operation === 'refund' ? said.refund?.id : said.id;
    const line = { operation, key, amount, status, code: said.error_code, id, of };
    this.log.push(line);
    return line;
  }

  /** What is no last word is asked again: no connection, no answer in time, 1000, 1004. */
  private async insist(path: string, body: object, key: string): Promise<Answer> {
    const { url, merchant_id, private_key } = this.credentials;
    const deadline = Date.now() + 180_000;
    for (;;) {
      try {
        const headers = { 'idempotency-key': key };
        const answer = await ask(`${url}/v1/${merchant_id}${path}`, 'POST', { key: private_key, body, headers });
        if (answer.status < 500) return answer;
      } catch {
        // The API is not there, or went away with the answer.
      }
      if (Date.now() > deadline) throw new Error(`no last word on ${key} within three minutes`);
      await sleep(100 + this.random() * 200);
    }
  }
}

const later = (amount: number) => ({
  method: 'card',
  amount,
  currency: 'COP',
  iva: '19',
  description: 'Torture',
  customer: { name: 'María', email: 'maria@example.com' },
});

export async function prepareClients(
  credentials: Credentials,
  count: number,
  random: () => number,
): Promise<{ clients: Client[]; cards: string[] }> {
  const { url, merchant_id, private_key: key } = credentials;
  const post = (path: string, body: object) => ask(`${url}/v1/${merchant_id}${path}`, 'POST', { key, body });
  const cards: string[] = [];
  for (let i = 0; i < count; i++) cards.push((await post('/cards', visa)).body.id);
  // Enough to pay costs from, so that refunds are not refused for want of money.
  const customer = { name: 'María', email: 'maria@example.com' };
  const whole = {
    method: 'card',
    amount: 100_000_000,
    currency: 'COP',
    iva: '19',
    description: 'First',
    device_session_id: 'd',
  };
  await post('/charges', { ...whole, source_id: cards[0], customer });
  const clients = cards.map(
    (card, i) => new Client(`c${i}`, credentials, card, randomFrom(Math.floor(random() * 2 ** 32))),
  );
  return { clients, cards };
}
