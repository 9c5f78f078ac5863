/** The URLs of the pages of a link. Each form redirects, so that a reload submits nothing. */
import type { FastifyReply } from 'fastify';
import type { PaymentLinkRow } from '../../billing/paymentLinks/rows';
import type { PageRequest } from '../findPayment';
import { withLanguage } from '../layout';

export const linkUrl = (request: PageRequest, flag?: string): string =>
  withLanguage(request, `/links/${request.params.key}${flag ? `?${flag}=yes` : ''}`);

export const backToLink = (request: PageRequest, reply: FastifyReply, flag?: string) =>
  reply.redirect(linkUrl(request, flag), 303);

export const toLink = (request: PageRequest, reply: FastifyReply, { page_key }: PaymentLinkRow, flag: string) =>
  reply.redirect(withLanguage(request, `/links/${page_key}?${flag}=yes`), 303);
