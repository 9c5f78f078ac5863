/** `/r/{token}`: the receipt of a payment, as a page and as PDF. `/r` verifies the code on a receipt. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerDependencies } from '../../api/request';
import { type ReceiptDetails, receiptByCode, receiptByToken } from '../../payments/receipts/receipt';
import { readCode } from '../../payments/receipts/token';
import type { PageRequest, RateLimit } from '../findPayment';
import { chosenLanguage, sendPage, textsFor, withLanguage } from '../layout';
import { notFoundPage, tooManyPage } from '../results';
import { checkPage, receiptPage } from './page';
import { receiptPdf } from './receiptPdf';
import { sendPdf } from './sheet';

interface ReceiptLimits {
  limitGuesses: RateLimit;
  /** Counts every code, because codes are shorter than tokens. */
  limitCodes: (request: FastifyRequest) => ReturnType<RateLimit>;
}

export function addReceipts(
  server: FastifyInstance,
  dependencies: ServerDependencies,
  { limitGuesses, limitCodes }: ReceiptLimits,
): void {
  const check = `${dependencies.publicUrl}/r`;

  /** Sends an error page and returns undefined if there is no such receipt. */
  async function lookUp(request: PageRequest, reply: FastifyReply): Promise<ReceiptDetails | undefined> {
    const receipt = await receiptByToken(dependencies, request.params.key);
    // Logged instead of the secret URL.
    if (receipt) Object.assign(request, { merchant_id: receipt.merchant_id, transaction_id: receipt.id });
    if (receipt) return receipt;
    const limit = await limitGuesses(request);
    const t = textsFor(request);
    return void sendPage(request, reply, !limit.isAllowed && limit.isExceeded ? tooManyPage(t) : notFoundPage(t));
  }

  server.get('/r', async (request, reply) => {
    const t = textsFor(request);
    const state = { language: chosenLanguage(request), isSandbox: dependencies.environment === 'sandbox' };
    const { code: entered } = request.query as Record<string, unknown>;
    if (typeof entered !== 'string') return sendPage(request, reply, checkPage(t, state));
    const limit = await limitCodes(request);
    if (!limit.isAllowed && limit.isExceeded) return sendPage(request, reply, tooManyPage(t));
    const code = readCode(entered);
    const receipt = code === undefined ? undefined : await receiptByCode(dependencies, code);
    return sendPage(request, reply, checkPage(t, { ...state, code: code ?? entered.slice(0, 30), receipt }));
  });

  server.get('/r/:key', async (request: PageRequest, reply) => {
    const receipt = await lookUp(request, reply);
    if (!receipt) return reply;
    const pdf = withLanguage(request, `/r/${request.params.key}.pdf`);
    return sendPage(
      request,
      reply,
      receiptPage(textsFor(request), receipt, { pdf, check: withLanguage(request, check) }),
    );
  });

  server.get('/r/:key.pdf', async (request: PageRequest, reply) => {
    const receipt = await lookUp(request, reply);
    return receipt ? sendPdf(reply, await receiptPdf(textsFor(request), receipt, check), receipt.id) : reply;
  });
}
