/**
 * Clients that send money operations and log the final responses, while the parts of the stack are killed repeatedly.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '../../../src/local/credentials';
import { randomFrom } from '../../../torture/random';
import { visa } from '../cards/testCards';
import { payOnPage } from '../merchant/merchantCalls';
import { type ApiResponse, sendRequest } from '../servers/api';
import type { LocalInstallation } from '../servers/localInstallation';

export type Operation =
  | 'charge'
  | 'reserve'
  | 'capture'
  | 'void'
  | 'refund'
  | 'payout'
  | 'voucher'
  | 'pay'
  | 'redirect'
  | 'page';

/** A line of a client's log: the operation and its final response. */
export interface LogLine {
  operation: Operation;
  key: string;
  amount: number;
  status: number;
  code?: number;
  id?: string;
  parentId?: string | undefined;
}

const PARTS = ['api', 'worker', 'acquirer', 'postgres'] as const;

/** Which part is killed, and how long after the previous kill. */
export const planKills = (random: () => number, kills: number): { part: (typeof PARTS)[number]; delayMs: number }[] =>
  Array.from({ length: kills }, () => ({
    part: PARTS[Math.floor(random() * PARTS.length)] ?? 'api',
    delayMs: 500 + Math.floor(random() * 1500),
  }));

/** Kills as planned; a part that is still coming back from its last kill is killed once it is there. */
export async function killParts(installation: LocalInstallation, plan: ReturnType<typeof planKills>): Promise<void> {
  const killed = new Set<number>();
  for (const { part, delayMs } of plan) {
    await sleep(delayMs);
    for (const deadline = Date.now() + 180_000; ; await sleep(50)) {
      const pid = await kill(installation, part, killed);
      if (pid !== undefined) {
        killed.add(pid);
        break;
      }
      if (Date.now() > deadline) throw new Error(`${part} did not come back within three minutes`);
    }
  }
}

async function kill(
  installation: LocalInstallation,
  part: (typeof PARTS)[number],
  killed: ReadonlySet<number>,
): Promise<number | undefined> {
  try {
    const { pid } = await installation.readProcessRecord(part);
    return !killed.has(pid) && process.kill(pid, 'SIGKILL') ? pid : undefined;
  } catch {
    return undefined;
  }
}

export class TortureClient {
  readonly log: LogLine[] = [];
  private keyCount = 0;

  constructor(
    private readonly name: string,
    private readonly credentials: Credentials,
    private readonly card: string,
    private readonly random: () => number,
  ) {}

  /** Performs operations one after the other, each repeated under its idempotency key until the response is final. */
  async run(operations: number, onOperation: () => void): Promise<void> {
    while (this.log.length < operations) {
      onOperation();
      const dice = this.random();
      const amount = 1000 + Math.floor(this.random() * 100_000);
      if (dice < 0.4) await this.charge('charge', amount);
      else if (dice < 0.5) await this.postAndLog('payout', '/payouts', { amount, description: 'Torture' }, amount);
      else if (dice < 0.7) await this.refundSomeCharge();
      else if (dice < 0.76) await this.payInStore(amount);
      else if (dice < 0.8) await this.payOnPage(amount);
      else await this.authorizeAndThen(amount, dice < 0.9 ? 'capture' : 'void');
    }
  }

  private charge(operation: 'charge' | 'reserve', amount: number): Promise<LogLine> {
    const order_id = `${this.name}-${this.keyCount}`;
    const customer = { name: 'María', email: 'maria@example.com' };
    const body = { method: 'card', amount, currency: 'COP', iva: '19', description: 'Torture', device_session_id: 'd' };
    const capture = operation === 'charge';
    return this.postAndLog(
      operation,
      '/charges',
      { ...body, source_id: this.card, customer, order_id, capture },
      amount,
    );
  }

  private async authorizeAndThen(amount: number, operation: 'capture' | 'void'): Promise<void> {
    const { id, status } = await this.charge('reserve', amount);
    if (status !== 200 || !id) return;
    const part = operation === 'capture' && this.random() < 0.5 ? Math.ceil(amount / 2) : amount;
    if (operation === 'capture') await this.postAndLog('capture', `/charges/${id}/capture`, { amount: part }, part, id);
    else await this.postAndLog('void', `/charges/${id}/refund`, {}, amount, id);
  }

  /** Waits until the charge is completed: the acquirer repeats its notification until the API accepts it. */
  private async payInStore(amount: number): Promise<void> {
    const { id, status } = await this.postAndLog(
      'voucher',
      '/charges',
      { ...pendingChargeBody(amount), method: 'store' },
      amount,
    );
    if (status !== 200 || !id) return;
    await this.postUntilFinal(`/sandbox/charges/${id}/pay`, {}, `${this.name}-${this.keyCount++}`);
    await this.waitUntilPaid(async () => (await this.read(id)).status === 'completed');
    this.log.push({ operation: 'pay', key: id, amount, status: 200, parentId: id });
  }

  /** Behaves like a payer who reloads the page whenever it does not respond. */
  private async payOnPage(amount: number): Promise<void> {
    const page = { ...pendingChargeBody(amount), confirm: false, redirect_url: 'https://shop.example/' };
    const { id, status } = await this.postAndLog('redirect', '/charges', page, amount);
    if (status !== 200 || !id) return;
    let url = '';
    await this.waitUntilPaid(async () => {
      // The API may have been killed since it answered.
      url ||= (await this.read(id)).payment_method.url;
      const html = await (await fetch(url)).text();
      const attempt = /name="attempt" value="(\d+)"/.exec(html)?.[1];
      if (attempt) await payOnPage(url, {}, Number(attempt));
      return html.includes('Pago aprobado');
    });
    this.log.push({ operation: 'page', key: id, amount, status: 200, parentId: id });
  }

  private async read(id: string) {
    const { url, merchant_id, private_key: key } = this.credentials;
    return (await sendRequest(`${url}/v1/${merchant_id}/charges/${id}`, 'GET', { key })).body;
  }

  private async waitUntilPaid(isPaid: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + 180_000; ; await sleep(200)) {
      if (await isPaid().catch(() => false)) return;
      if (Date.now() > deadline) throw new Error('not paid within three minutes');
    }
  }

  private async refundSomeCharge(): Promise<void> {
    const charges = this.log.filter(({ operation, status }) => operation === 'charge' && status === 200);
    const chosen = charges[Math.floor(this.random() * charges.length)];
    if (!chosen?.id) return;
    const amount = Math.max(1, Math.floor(chosen.amount * this.random()));
    await this.postAndLog('refund', `/charges/${chosen.id}/refund`, { amount }, amount, chosen.id);
  }

  private async postAndLog(
    operation: Operation,
    path: string,
    body: object,
    amount: number,
    parentId?: string,
  ): Promise<LogLine> {
    const key = `${this.name}-${this.keyCount++}`;
    const { status, body: response } = await this.postUntilFinal(path, body, key);
    const id = operation === 'refund' ? response.refund?.id : response.id;
    const line: LogLine = { operation, key, amount, status, code: response.error_code, id, parentId };
    this.log.push(line);
    return line;
  }

  /** Repeats the request while the outcome is unknown: no connection, no response in time, 1000, 1004. */
  private async postUntilFinal(path: string, body: object, key: string): Promise<ApiResponse> {
    const { url, merchant_id, private_key } = this.credentials;
    const deadline = Date.now() + 180_000;
    for (;;) {
      try {
        const headers = { 'idempotency-key': key };
        const answer = await sendRequest(`${url}/v1/${merchant_id}${path}`, 'POST', {
          key: private_key,
          body,
          headers,
        });
        if (answer.status < 500) return answer;
      } catch {
        // The API is down, or was killed before it responded.
      }
      if (Date.now() > deadline) throw new Error(`no final response to ${key} within three minutes`);
      await sleep(100 + this.random() * 200);
    }
  }
}

const pendingChargeBody = (amount: number) => ({
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
): Promise<{ clients: TortureClient[]; cards: string[] }> {
  const { url, merchant_id, private_key: key } = credentials;
  const post = (path: string, body: object) => sendRequest(`${url}/v1/${merchant_id}${path}`, 'POST', { key, body });
  const cards: string[] = [];
  for (let i = 0; i < count; i++) cards.push((await post('/cards', visa)).body.id);
  const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
  await sendRequest(`${url}/v1/${merchant_id}`, 'PUT', { key, body: { bank_account } });
  // Gives the merchant a balance to pay costs from, so that refunds are not refused for insufficient balance.
  const customer = { name: 'María', email: 'maria@example.com' };
  const firstCharge = {
    method: 'card',
    amount: 100_000_000,
    currency: 'COP',
    iva: '19',
    description: 'First',
    device_session_id: 'd',
  };
  await post('/charges', { ...firstCharge, source_id: cards[0], customer });
  const clients = cards.map(
    (card, i) => new TortureClient(`c${i}`, credentials, card, randomFrom(Math.floor(random() * 2 ** 32))),
  );
  return { clients, cards };
}
