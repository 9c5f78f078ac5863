/** The simulated acquirer's HTTP: what a real one would offer, and beside it the journal and the script for rehearsals. */
import { createHash, timingSafeEqual } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Log } from '../log';
import { type Bank, Nonsense, type Order, Silence } from './bank';
import { OPERATIONS, type Operation } from './memory';
import type { Notify } from './notify';

/** Longer than anybody waits. */
const SILENCE_MS = 60_000;

export function createAcquirer(bank: Bank, key: string, log: Log, notify: Notify): FastifyInstance {
  const server = fastify({ forceCloseConnections: true });
  const expected = digest(`Bearer ${key}`);
  server.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    const status = error instanceof Nonsense ? 409 : (error.statusCode ?? 500);
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
        answered(reply, () => bank.perform(operation, readOrder(operation, request.body))),
      );
    }
    guarded.post('/reverse', async request => {
      await bank.reverse(readText(request.body, 'key'));
      return { reversed: true };
    });
    guarded.get('/operations/:key', async (request, reply) => {
      const found = await bank.find((request.params as { key: string }).key);
      return found ?? reply.status(404).send({ known: false });
    });
    guarded.post('/notify', async request => {
      await notify(request.body as object);
      return {};
    });
    guarded.post('/script', async request => {
      const { outcomes } = request.body as { outcomes: (string | number)[] };
      await bank.script(readText(request.body, 'reference'), outcomes);
      return {};
    });
  });
  return server;
}

/** Where no answer is to come, the connection stays open until the other side has had enough. */
async function answered(reply: FastifyReply, work: () => Promise<object>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Silence)) throw error;
    reply.hijack();
    setTimeout(() => reply.raw.destroy(), SILENCE_MS).unref();
  }
}

function readOrder(operation: Operation, body: unknown): Order {
  const { amount, of, card } = (body ?? {}) as Order;
  const needsCard = operation === 'verify' || operation === 'charge' || operation === 'authorize';
  const isAmount = operation === 'verify' ? amount === undefined : Number.isSafeInteger(amount) && Number(amount) > 0;
  const isCard = typeof card?.number === 'string' && typeof card.reference === 'string';
  if (!isAmount || isCard !== needsCard || (typeof of === 'string') === needsCard)
    throw new Nonsense(`this is no ${operation}`);
  return { key: readText(body, 'key'), amount, of, card };
}

function readText(body: unknown, name: string): string {
  const text = ((body ?? {}) as Record<string, unknown>)[name];
  if (typeof text !== 'string' || text === '') throw new Nonsense(`${name} is missing`);
  return text;
}

/** Of equal length, whatever was sent. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
