/** The pages of payers, on the server of their environment. Guessing at their addresses is slowed down, and trying out cards as well. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { toApiError } from '../../platform/toApiError';
import { rejectOtherMethods } from '../methodNotAllowed';
import type { ServerDependencies } from '../request';
import { findPayment } from './findPayment';
import { addAssets, assets, sendPage, textsFor } from './layout';
import { addPayment, type Find } from './payment';
import { refusedPage, tooManyPage, troublePage, unknownPage } from './results';
import { addVoucher } from './voucher';

const MAX_BODY_BYTES = 16 * 1024;
const MINUTE_MS = 60_000;
/** Of addresses that lead nowhere, and of cards, from one address in a minute. */
const MAX_GUESSES_PER_MINUTE = 30;
const MAX_TRIES_PER_MINUTE = 60;

export function addPages(server: FastifyInstance, parts: ServerDependencies): void {
  addAssets(server);
  const methods = parts.environment === 'sandbox' ? (['GET', 'POST'] as const) : (['GET'] as const);
  rejectOtherMethods(server, '/pay/:key', ['GET', 'POST']);
  rejectOtherMethods(server, '/pay/:key/return', ['GET']);
  rejectOtherMethods(server, '/vouchers/:key', [...methods]);
  for (const url of ['/barcodes/:digits.png', ...assets.map(({ url }) => url)])
    rejectOtherMethods(server, url, ['GET']);
  server.register(async pages => {
    await pages.register(rateLimit, { global: false });
    const guesses = pages.createRateLimit({ max: MAX_GUESSES_PER_MINUTE, timeWindow: MINUTE_MS });
    const tries = pages.createRateLimit({ max: MAX_TRIES_PER_MINUTE, timeWindow: MINUTE_MS });
    pages.setErrorHandler((thrown, request, reply) => {
      const error = toApiError(thrown);
      const { http_code, kind } = error;
      if (kind === 'internal') parts.log.error({ err: thrown, request_id: request.id }, 'unexpected fault');
      const t = textsFor(request);
      return sendPage(request, reply, http_code < 500 ? refusedPage(t, http_code) : troublePage(t, http_code));
    });
    const find: Find = async (request, reply, isTry = false) => {
      const t = textsFor(request);
      const payment = await findPayment(parts.db, parts.environment, request.params.key);
      // Who knows a key has not guessed it, and pays whatever others behind the same address do.
      const limit = payment ? isTry && (await tries(request)) : await guesses(request);
      if (limit && !limit.isAllowed && limit.isExceeded) return void sendPage(request, reply, tooManyPage(t));
      if (!payment) sendPage(request, reply, unknownPage(t));
      return payment;
    };
    pages.addHook('onRoute', route => {
      route.bodyLimit = MAX_BODY_BYTES;
    });
    addPayment(pages, parts, find);
    addVoucher(pages, parts, find);
  });
}
