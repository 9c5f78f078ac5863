/** HTTP API of the simulated acquirer, with its journal and scripted outcomes. */
import { createHash, timingSafeEqual } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Log } from '../../platform/log';
import { serveOwnHostsOnly } from '../../platform/traffic/ownHost';
import { NotificationRefused, type Notifier } from './notifier';
import { OPERATIONS, type OrderedOperation } from './operations';
import { InvalidOrder, NoResponse, readOrder, readPayee, readText } from './orders';
import type { ReportSender } from './settlement/sender';
import type { SimulatedAcquirer } from './simulatedAcquirer';

/** Must exceed the timeout of every client. */
const NO_RESPONSE_MS = 60_000;

/** `publicUrl` is the base URL of the bank pages. */
export function createAcquirer(
  acquirer: SimulatedAcquirer,
  key: string,
  log: Log,
  { notifier, reportSender }: { notifier: Notifier; reportSender: ReportSender },
  publicUrl: () => string,
): FastifyInstance {
  const server = fastify({ forceCloseConnections: true });
  serveOwnHostsOnly(server, publicUrl);
  const expected = digest(`Bearer ${key}`);
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error instanceof InvalidOrder ? 409 : (error.statusCode ?? 500);
    if (status >= 500) log.error({ err: error, key: (request.body as { key?: unknown } | null)?.key }, request.url);
    reply.status(status).send({ error: status < 500 ? error.message : 'internal' });
  });

  server.get('/health', async () => ({ status: 'up' }));
  server.get('/journal', async request => {
    const { after = '0', limit = '100' } = request.query as Record<string, string>;
    const clamp = (text: string, max: number): number => Math.min(Math.max(Math.trunc(Number(text)) || 0, 0), max);
    return acquirer.entries(clamp(after, Number.MAX_SAFE_INTEGER), clamp(limit, 1000));
  });

  server.register(async guarded => {
    guarded.addHook('onRequest', async (request, reply) => {
      if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return;
      await reply.status(401).send({ error: 'the credential is missing or invalid' });
    });
    for (const operation of Object.keys(OPERATIONS) as OrderedOperation[]) {
      guarded.post(`/${operation}`, (request, reply) =>
        answerOrHang(reply, async () =>
          withPageUrl(
            await acquirer.perform(operation, { ...readOrder(operation, request.body), ...readPayee(request.headers) }),
          ),
        ),
      );
    }
    guarded.post('/withdraw', async request => {
      return (await acquirer.withdraw(readText(request.body, 'key'))) ?? { withdrawn: true };
    });
    guarded.post('/reverse', async request => {
      await acquirer.reverse(readText(request.body, 'key'));
      return { reversed: true };
    });
    guarded.get('/operations/:key', async (request, reply) => {
      const operation = await acquirer.find((request.params as { key: string }).key);
      return operation ? withPageUrl(operation) : reply.status(404).send({ known: false });
    });
    guarded.post('/notify', async request => {
      const { type, key, outcome } = request.body as Record<string, unknown>;
      const isLoss = type === 'chargeback' && outcome === 'accepted' && typeof key === 'string';
      if (isLoss) await acquirer.reports.recordChargeback(key);
      await notifier.send(request.body as object).catch(async error => {
        if (isLoss && error instanceof NotificationRefused) await acquirer.reports.forgetChargeback(key);
        throw error;
      });
      return {};
    });
    guarded.post('/settle', async request => {
      const {
        until: at,
        transactions,
        early,
      } = request.body as { until?: unknown; transactions?: string[]; early?: true };
      const until = new Date(String(at));
      if (Number.isNaN(until.getTime())) throw new InvalidOrder('the date until is missing or invalid');
      const merchant = readText(request.body, 'merchant');
      const reports = await acquirer.reports.settle(merchant, until, transactions, early);
      if (early) await reportSender.deliver(reports);
      else reportSender.kick();
      return {};
    });
    guarded.post('/pay', async request => {
      const key = readText(request.body, 'key');
      const { outcome, date } = request.body as { outcome?: string; date?: string };
      if (outcome !== 'pending') await acquirer.payers.decide(key, outcome === 'approved', date);
      if (acquirer.payers.unnotified().includes(key)) await notifier.notify(key);
      return {};
    });
    guarded.post('/script', async request => {
      const { outcomes } = request.body as { outcomes: (string | number)[] };
      await acquirer.script(readText(request.body, 'reference'), outcomes);
      return {};
    });
  });
  return server;

  /** Replaces the page id with its public URL. */
  function withPageUrl<T extends { page?: string }>({ page, ...answer }: T): object {
    return page === undefined ? answer : { ...answer, url: `${publicUrl()}/bank/${page}` };
  }
}

/** Simulates a lost response: the connection stays open until the client gives up. */
async function answerOrHang(reply: FastifyReply, work: () => Promise<object>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    reply.hijack();
    setTimeout(() => reply.raw.destroy(), NO_RESPONSE_MS).unref();
    return undefined;
  }
}

/** Hashes to equal lengths for the constant-time comparison. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
