/** Routes of the payment pages. Unknown page keys and card attempts are rate-limited by client address. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { rejectOtherMethods } from '../api/methodNotAllowed';
import { namesOf, type ServerDependencies } from '../api/request';
import { toApiError } from '../platform/toApiError';
import { addBankAccounts } from './bankAccounts/routes';
import { findPayment, type PaymentLookup } from './findPayment';
import { sendPage, textsFor } from './layout';
import { addLinks } from './links/routes';
import { addAppearanceFiles } from './look/appearance';
import { addAssets, assets } from './look/assets';
import { PAYER_STEPS } from './payer/forms';
import { addPayerPages } from './payer/routes';
import { recall } from './payerCookies';
import { addDeviceScript, addPageDevices } from './payersDevice';
import { addPayment } from './payment';
import { addPortal } from './portal/routes';
import { addReceipts } from './receipts/routes';
import { notFoundPage, rejectedPage, serverErrorPage, tooManyPage } from './results';
import { addVoucher } from './voucher';

const PATHS_WITHOUT_KEY = ['/pay', '/links', '/s', '/p', '/vouchers', '/bank-accounts'];
const MAX_BODY_BYTES = 16 * 1024;
const MINUTE_MS = 60_000;
/** Per client address. */
const MAX_UNKNOWN_KEYS_PER_MINUTE = 30;
const MAX_CARD_ATTEMPTS_PER_MINUTE = 60;
const MAX_CODES_PER_MINUTE = 30;
const MAX_QR_CODES_PER_MINUTE = 60;

export function addPages(server: FastifyInstance, dependencies: ServerDependencies): void {
  addAssets(server);
  addDeviceScript(server);
  const methods = dependencies.environment === 'sandbox' ? (['GET', 'POST'] as const) : (['GET'] as const);
  rejectOtherMethods(server, '/pay/:key', ['GET', 'POST']);
  rejectOtherMethods(server, '/pay/:key/return', ['GET']);
  rejectOtherMethods(server, '/pay/:key/qr.png', ['GET']);
  rejectOtherMethods(server, '/pay/:key/devices', ['POST']);
  rejectOtherMethods(server, '/links/:key', ['GET', 'POST']);
  rejectOtherMethods(server, '/links/:key/devices', ['POST']);
  for (const type of ['svg', 'png']) rejectOtherMethods(server, `/links/:key/qr.${type}`, ['GET']);
  rejectOtherMethods(server, '/s/:key', ['GET']);
  rejectOtherMethods(server, '/s/:key/devices', ['POST']);
  for (const step of PAYER_STEPS)
    rejectOtherMethods(server, `/s/:key/${step.name}`, step.show ? ['GET', 'POST'] : ['POST']);
  rejectOtherMethods(server, '/p/:key', ['GET']);
  rejectOtherMethods(server, '/p/:key/devices', ['POST']);
  rejectOtherMethods(server, '/p/:key/card', ['GET', 'POST']);
  rejectOtherMethods(server, '/p/:key/remove', ['POST']);
  rejectOtherMethods(server, '/p/:key/subscriptions/:id', ['GET']);
  rejectOtherMethods(server, '/bank-accounts/:key', ['GET', 'POST']);
  rejectOtherMethods(server, '/r', ['GET']);
  rejectOtherMethods(server, '/r/:key', ['GET']);
  rejectOtherMethods(server, '/vouchers/:key', [...methods]);
  for (const url of [...PATHS_WITHOUT_KEY, '/barcodes/:digits.png', ...assets.map(({ url }) => url)])
    rejectOtherMethods(server, url, ['GET']);
  server.register(async pages => {
    await pages.register(rateLimit, { global: false });
    const limitGuesses = pages.createRateLimit({ max: MAX_UNKNOWN_KEYS_PER_MINUTE, timeWindow: MINUTE_MS });
    const limitAttempts = pages.createRateLimit({ max: MAX_CARD_ATTEMPTS_PER_MINUTE, timeWindow: MINUTE_MS });
    const limitCodes = pages.createRateLimit({ max: MAX_CODES_PER_MINUTE, timeWindow: MINUTE_MS });
    const limitImages = pages.createRateLimit({ max: MAX_QR_CODES_PER_MINUTE, timeWindow: MINUTE_MS });
    const limitLogos = pages.createRateLimit({ max: MAX_UNKNOWN_KEYS_PER_MINUTE, timeWindow: MINUTE_MS });
    addAppearanceFiles(pages, dependencies.db, async request => {
      const result = await limitLogos(request);
      return !result.isAllowed && result.isExceeded;
    });
    pages.setErrorHandler((thrown, request, reply) => {
      const error = toApiError(thrown);
      const { http_code, kind } = error;
      if (kind === 'internal') dependencies.log.error({ err: thrown, ...namesOf(request) }, 'request: internal error');
      const t = textsFor(request);
      if (kind === 'too_many') return sendPage(request, reply, tooManyPage(t));
      return sendPage(request, reply, http_code < 500 ? rejectedPage(t, http_code) : serverErrorPage(t, http_code));
    });
    const lookUpPayment: PaymentLookup = async (request, reply, isCardAttempt = false) => {
      const t = textsFor(request);
      const payment = await findPayment(dependencies.db, dependencies.environment, request.params.key);
      // Logged instead of the secret URL.
      if (payment) Object.assign(request, { merchant_id: payment.merchant_id, transaction_id: payment.id });
      // Known keys are exempt, so that other clients with the same address cannot block this payer.
      const rateLimitResult = payment ? isCardAttempt && (await limitAttempts(request)) : await limitGuesses(request);
      if (rateLimitResult && !rateLimitResult.isAllowed && rateLimitResult.isExceeded)
        return void sendPage(request, reply, tooManyPage(t));
      if (!payment) return void sendPage(request, reply, notFoundPage(t));
      const back = recall(request, 'back');
      return back ? { ...payment, redirect_url: `${dependencies.publicUrl}${back}` } : payment;
    };
    pages.addHook('onRoute', route => {
      route.bodyLimit = MAX_BODY_BYTES;
    });
    // A link truncated by an e-mail client. It has no key, so it does not count as guessing.
    for (const url of PATHS_WITHOUT_KEY)
      pages.get(url, (request, reply) => sendPage(request, reply, notFoundPage(textsFor(request))));
    addPayment(pages, dependencies, lookUpPayment);
    addPageDevices(pages, dependencies, '/pay', lookUpPayment);
    addLinks(pages, dependencies, { limitGuesses, limitAttempts, limitCodes, limitImages });
    addPayerPages(pages, dependencies, { limitGuesses, limitAttempts });
    addPortal(pages, dependencies, { limitGuesses, limitAttempts });
    addBankAccounts(pages, dependencies, limitGuesses);
    addVoucher(pages, dependencies, lookUpPayment);
    addReceipts(pages, dependencies, { limitGuesses, limitCodes });
  });
}
