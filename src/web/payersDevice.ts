/**
 * `/v1/device.js`, included by merchants and by our payment pages. Payment pages need no public key: the payment
 * identifies the merchant.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServerDependencies } from '../api/request';
import { insertDevice, readDevice } from '../payments/devices/rows';
import { html } from '../platform/html';
import { isCrossSite, type PageRequest } from './findPayment';
import { builtFile, serveFile } from './look/assets';

const script = { ...builtFile('device.js'), url: '/v1/device.js' };

const HEADERS = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** Element that collects device data on payment pages. Without scripts the device is unknown. */
export const deviceScript = (page: string) =>
  html`<script async src="${script.url}" data-url="${page}/devices"></script>`;

export const addDeviceScript = (server: FastifyInstance): string => serveFile(server, script, HEADERS);

export function addPageDevices(
  server: FastifyInstance,
  { db, publicUrl }: ServerDependencies,
  path: '/pay' | '/links' | '/s' | '/p',
  lookUp: (request: PageRequest, reply: FastifyReply) => Promise<{ merchant_id: string } | undefined>,
): void {
  server.post(`${path}/:key/devices`, async (request: PageRequest, reply) => {
    if (isCrossSite(request, publicUrl)) return reply.status(403).send();
    const page = await lookUp(request, reply);
    if (!page) return reply;
    const { merchant_id } = page;
    await insertDevice({ db, merchant_id }, request.ip, readDevice(parse(request.body)));
    return reply.status(204).send();
  });
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.from(body as Uint8Array).toString());
  } catch {
    return undefined;
  }
}
