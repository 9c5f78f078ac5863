/**
 * `/v1/device.js`, which merchants and our own pages include. Our pages know the merchant by the payment, so their
 * browsers need no key to tell what they are.
 */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { rejectOtherMethods } from '../api/methodNotAllowed';
import type { ServerDependencies } from '../api/request';
import { insertDevice, readDevice } from '../payments/devices/rows';
import { html } from '../platform/html';
import { fromRoot } from '../platform/root';
import { isCrossSite, type PaymentLookup } from './findPayment';

const SCRIPT_URL = '/v1/device.js';
const script = readFileSync(fromRoot('src/web/device.js'), 'utf8');

const HEADERS = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** The element of a payment page. Without it, or without scripts, the device is not known. */
export const deviceScript = (key: string) =>
  html`<script async src="${SCRIPT_URL}" data-url="/pay/${key}/devices"></script>`;

export function addDeviceScript(server: FastifyInstance): void {
  server.get(SCRIPT_URL, (_, reply) => reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(script));
  rejectOtherMethods(server, SCRIPT_URL, ['GET']);
}

export function addPageDevices(
  server: FastifyInstance,
  { db, publicUrl }: ServerDependencies,
  lookUpPayment: PaymentLookup,
): void {
  server.post<{ Params: { key: string } }>('/pay/:key/devices', async (request, reply) => {
    if (isCrossSite(request, publicUrl)) return reply.status(403).send();
    const payment = await lookUpPayment(request, reply);
    if (!payment) return reply;
    const { merchant_id } = payment;
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
