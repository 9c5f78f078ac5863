/** The simulated acquirer's HTTP: what a real one would offer, and beside it the journal and the script for rehearsals. */
import { createHash, timingSafeEqual } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { BankOrder } from '../acquirer/port';
import type { Log } from '../platform/log';
import type { Notifier } from './notifier';
import { type AcquirerOrder, InvalidOrder, NoResponse, type SimulatedAcquirer } from './simulatedAcquirer';
import { type AcquirerOperation, OPERATIONS } from './state';

/** Longer than anybody waits. */
const SILENCE_MS = 60_000;

/** `address` is where browsers find it: the pages of the payer's bank are there. */
export function createAcquirer(
  bank: SimulatedAcquirer,
  key: string,
  log: Log,
  teller: Notifier,
  address: () => string,
): FastifyInstance {
  const server = fastify({ forceCloseConnections: true });
  const expected = digest(`Bearer ${key}`);
  server.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    const status = error instanceof InvalidOrder ? 409 : (error.statusCode ?? 500);
    if (status >= 500) log.error(error);
    reply.status(status).send({ error: status < 500 ? error.message : 'internal' });
  });

  server.get('/health', async () => ({ status: 'up' }));
  server.get('/journal', async request => {
    const { after = '0', limit = '100' } = request.query as Record<string, string>;
    const within = (text: string, most: number): number => Math.min(Math.max(Math.trunc(Number(text)) || 0, 0), most);
    return bank.entries(within(after, Number.MAX_SAFE_INTEGER), within(limit, 1000));
  });

  server.register(async guarded => {
    guarded.addHook('onRequest', async (request, reply) => {
      if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return;
      await reply.status(401).send({ error: 'the credential is missing or wrong' });
    });
    for (const operation of OPERATIONS) {
      guarded.post(`/${operation}`, (request, reply) =>
        answered(reply, async () => located(await bank.perform(operation, readOrder(operation, request.body)))),
      );
    }
    guarded.post('/withdraw', async request => {
      return (await bank.withdraw(readText(request.body, 'key'))) ?? { withdrawn: true };
    });
    guarded.post('/reverse', async request => {
      await bank.reverse(readText(request.body, 'key'));
      return { reversed: true };
    });
    guarded.get('/operations/:key', async (request, reply) => {
      const found = await bank.find((request.params as { key: string }).key);
      return found ? located(found) : reply.status(404).send({ known: false });
    });
    guarded.post('/notify', async request => {
      await teller.send(request.body as object);
      return {};
    });
    guarded.post('/pay', async request => {
      const key = readText(request.body, 'key');
      const { outcome } = request.body as { outcome?: string };
      if (outcome !== 'pending') await bank.payers.decide(key, outcome === 'approved');
      if (bank.payers.unheard().includes(key)) await teller.notify(key);
      return {};
    });
    guarded.post('/script', async request => {
      const { outcomes } = request.body as { outcomes: (string | number)[] };
      await bank.script(readText(request.body, 'reference'), outcomes);
      return {};
    });
  });
  return server;

  /** A page has its address only from outside. */
  function located<T extends { page?: string }>({ page, ...answer }: T): object {
    return page === undefined ? answer : { ...answer, url: `${address()}/bank/${page}` };
  }
}

/** Where no answer is to come, the connection stays open until the other side has had enough. */
async function answered(reply: FastifyReply, work: () => Promise<object>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    reply.hijack();
    setTimeout(() => reply.raw.destroy(), SILENCE_MS).unref();
  }
}

/** What an order of each kind brings besides its key and, but for a verification, an amount. */
const brings: Record<AcquirerOperation, 'card' | 'of' | 'expires' | 'return_url'> = {
  verify: 'card',
  charge: 'card',
  authorize: 'card',
  capture: 'of',
  refund: 'of',
  voucher: 'expires',
  bank: 'return_url',
};

function readOrder(operation: AcquirerOperation, body: unknown): AcquirerOrder {
  const { amount, of, card, merchant, description, return_url } = (body ?? {}) as AcquirerOrder & BankOrder;
  const isAmount = operation === 'verify' ? amount === undefined : Number.isSafeInteger(amount) && Number(amount) > 0;
  const needed = brings[operation];
  const brought = Object.values(brings).filter(name => ((body ?? {}) as Record<string, unknown>)[name] !== undefined);
  const isCard = card === undefined || (typeof card.number === 'string' && typeof card.reference === 'string');
  if (!isAmount || !isCard || brought.some(name => name !== needed) || !brought.includes(needed))
    throw new InvalidOrder(`this is no ${operation}`);
  const order = { merchant: String(merchant), description: String(description), return_url };
  return { key: readText(body, 'key'), amount, of, card, ...(needed === 'return_url' ? { order } : {}) };
}

function readText(body: unknown, name: string): string {
  const text = ((body ?? {}) as Record<string, unknown>)[name];
  if (typeof text !== 'string' || text === '') throw new InvalidOrder(`${name} is missing`);
  return text;
}

/** Of equal length, whatever was sent. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
