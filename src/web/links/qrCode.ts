/** `/links/{key}/qr.svg` and `.png`: the QR code of a link, for screens and for print. */
import bwipjs from 'bwip-js';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { linkUrl } from '../../billing/paymentLinks/view';
import { count, type PageRequest, type RateLimit } from '../findPayment';
import type { LinkPage } from './find';

/** A code of 41 modules, with the margin that scanners need, is 574 pixels wide: 5 cm at 300 dpi. */
const PRINT_SCALE = 7;
const MARGIN_MODULES = 4;

const options = (text: string, scale: number) => ({
  ...{ bcid: 'qrcode', text, eclevel: 'M', scale, backgroundcolor: 'ffffff' },
  padding: MARGIN_MODULES,
});

const HEADERS = {
  'cache-control': 'public, max-age=86400',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

export function addQrCodes(
  server: FastifyInstance,
  lookUp: (request: PageRequest, reply: FastifyReply) => Promise<LinkPage | undefined>,
  limitImages: RateLimit,
): void {
  server.get('/links/:key/qr.svg', async (request: PageRequest, reply) => {
    await count(request, limitImages);
    const page = await lookUp(request, reply);
    if (!page) return reply;
    return reply
      .headers(HEADERS)
      .type('image/svg+xml')
      .send(bwipjs.toSVG(options(linkUrl(page.link), 2)));
  });
  server.get('/links/:key/qr.png', async (request: PageRequest, reply) => {
    await count(request, limitImages);
    const page = await lookUp(request, reply);
    if (!page) return reply;
    const image = await bwipjs.toBuffer(options(linkUrl(page.link), PRINT_SCALE));
    return reply.headers(HEADERS).type('image/png').send(image);
  });
}
