/** One subscription as one trace at a collector: the request, its workflow, the acquirer and the webhook. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { visa } from '../../harness/cards/testCards';
import { eventually } from '../../harness/flow/until';
import { sendRequest } from '../../harness/servers/api';
import { testStack } from '../../harness/servers/testStack';
import { testReceiver } from '../../harness/webhooks/endpoint';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
}

const spans: Span[] = [];
const bodies: string[] = [];
let collector: Server;
beforeAll(async () => {
  collector = createServer(async (request, reply) => {
    const body = await text(request);
    bodies.push(body);
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const named = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
      for (const scope of scopeSpans)
        for (const span of scope.spans) spans.push({ ...span, service: named.value.stringValue });
    }
    reply.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
});
afterAll(() => collector.close());

const startStack = testStack();
const receiver = testReceiver();
const TRACE = '0af7651916cd43dd8448eb211c80319c';

it('the trace of the creating client continues in the worker, at the acquirer and at the webhook', async () => {
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const { credentials } = await startStack({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '200' });
  const { url, merchant_id, private_key: key } = credentials;
  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    (await sendRequest(`${url}/v1/${merchant_id}${path}`, 'POST', { key, body, headers })).body;
  const { id: webhook } = await post('/webhooks', { url: receiver.url() });
  // Earlier events are not delivered to it.
  await eventually(async () => {
    const { body } = await sendRequest(`${url}/v1/${merchant_id}/webhooks/${webhook}`, 'GET', { key });
    expect(body.status).toBe('verified');
  });
  const { id: customer } = await post('/customers', { name: 'María', email: 'maria@example.com' });
  const { id: source_id } = await post(`/customers/${customer}/cards`, visa);
  const { id: plan_id } = await post('/plans', {
    name: 'Monthly',
    amount: 49900,
    repeat_every: 1,
    repeat_unit: 'month',
    retry_times: 3,
    status_after_retry: 'unpaid',
    trial_days: 1,
  });
  const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
  const { id } = await post(`/customers/${customer}/subscriptions`, { plan_id, source_id }, { traceparent });
  const move = { to: new Date(Date.now() + 3 * 86_400_000).toISOString(), subscription_id: id };
  // A busy Temporal server may not respond in time.
  await eventually(async () => {
    const moved = await sendRequest(`${url}/v1/${merchant_id}/sandbox/clock`, 'POST', { key, body: move });
    expect(moved.status).toBe(200);
  });

  const inTrace = () => spans.filter(({ traceId }) => traceId === TRACE);
  await eventually(async () => {
    const names = inTrace().map(({ service, name }) => `${service}: ${name}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'recaudo-api: rest createSubscription',
        'recaudo-worker: outbox subscription',
        'recaudo-worker: subscription charge',
        'recaudo-worker: acquirer charge',
        'recaudo-worker: webhook subscription.created',
        'recaudo-worker: webhook subscription.activated',
        'recaudo-worker: webhook charge.succeeded',
      ]),
    );
  });
  // Every span except the first has a parent that the collector has, or receives when the parent ends.
  await eventually(async () => {
    const known = new Set(inTrace().map(({ spanId }) => spanId));
    expect(inTrace().filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([
      expect.objectContaining({ name: 'rest createSubscription', parentSpanId: 'b7ad6b7169203331' }),
    ]);
  });
  const message = receiver.received.find(({ body }) => body.type === 'charge.succeeded');
  expect(message?.headers.traceparent).toContain(`00-${TRACE}-`);
  // Other requests have their own traces, and no span contains a card number or a name.
  expect(spans.find(({ name }) => name === 'rest createPlan')?.traceId).not.toBe(TRACE);
  expect(bodies.join()).not.toMatch(new RegExp(`${visa.card_number}|${visa.holder_name}|María|maria@`));
});
