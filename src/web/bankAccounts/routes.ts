/** `/bank-accounts/{key}`: the page in the e-mail about a changed bank account. Its button stops the change. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findBankAccounts } from '../../accounts/bankAccounts/rows';
import { stopBankAccount } from '../../accounts/merchants/stopBankAccount';
import type { ServerDependencies } from '../../api/request';
import { isId } from '../../platform/identifiers';
import { isCrossSite, type PageRequest, type RateLimit } from '../findPayment';
import { sendPage, textsFor, withLanguage } from '../layout';
import { notFoundPage, rejectedPage, tooManyPage } from '../results';
import { changePage, type ShownChange } from './page';

export function addBankAccounts(
  server: FastifyInstance,
  { db, environment, publicUrl }: ServerDependencies,
  limitGuesses: RateLimit,
): void {
  /** Sends an error page and returns undefined if there is no such change. */
  async function lookUp(request: PageRequest, reply: FastifyReply): Promise<ShownChange | undefined> {
    const { key: page_key } = request.params;
    const include = { merchant: { select: { name: true, environment: true } } };
    const row = isId(page_key) ? await db.bankAccount.findUnique({ where: { page_key }, include }) : null;
    if (row?.merchant.environment !== environment) {
      const limit = await limitGuesses(request);
      const t = textsFor(request);
      return void sendPage(request, reply, !limit.isAllowed && limit.isExceeded ? tooManyPage(t) : notFoundPage(t));
    }
    // Logged instead of the secret URL.
    Object.assign(request, { merchant_id: row.merchant_id });
    const { pending } = await findBankAccounts(db, row.merchant_id);
    return { ...row, state: row.stopped_at ? 'stopped' : pending?.id === row.id ? 'pending' : 'effective' };
  }

  server.get('/bank-accounts/:key', async (request: PageRequest, reply) => {
    const change = await lookUp(request, reply);
    return change ? sendPage(request, reply, changePage(textsFor(request), change)) : reply;
  });

  server.post('/bank-accounts/:key', async (request: PageRequest, reply) => {
    if (isCrossSite(request, publicUrl)) return sendPage(request, reply, rejectedPage(textsFor(request), 403));
    if (!(await lookUp(request, reply))) return reply;
    const { key } = request.params;
    const actor = { kind: 'session', id: 'e-mail about the bank account' } as const;
    await stopBankAccount(db, { actor, address: request.ip, request_id: request.id }, key);
    return reply.redirect(withLanguage(request, `/bank-accounts/${key}`), 303);
  });
}
