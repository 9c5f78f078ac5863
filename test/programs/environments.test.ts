/** Sandbox and production on one database, each with its own worker. */
import pino from 'pino';
import { rotateKeys } from '../../src/accounts/merchants/accounts';
import { HttpAcquirer } from '../../src/gateway/acquirer/client';
import { findQueuedWebhooks } from '../../src/notifications/webhooks/delivery/rows';
import { recover } from '../../src/operations/background/recovery';
import { sweepActivities } from '../../src/operations/background/sweep';
import { visa } from '../harness/cards/testCards';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually } from '../harness/flow/until';
import { abandonCharge } from '../harness/merchant/abandonCharge';
import { payer } from '../harness/merchant/merchantCalls';
import { sendRequest, testApi } from '../harness/servers/api';
import { Program } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { secrets, vault } from '../harness/world/secrets';
import { temporalAddress } from '../harness/world/temporal';

const namespace = testNamespace();
const api = testApi({ namespace: namespace.name, ownWorld: true });
const db = () => api.database.db();
let productionOrigin: string;
beforeAll(async () => {
  productionOrigin = await api.startProduction();
});

/** No test number, so that production accepts it too. */
const card = { ...visa, card_number: '4532015112830366' };
const charge = { method: 'card', amount: 100000, currency: 'COP', iva: '19', description: 'Order' };

/** Charges a card in one of the environments, and returns the ID of the transaction. */
async function chargeIn(environment: 'sandbox' | 'production', overrides: object = {}): Promise<string> {
  const isSandbox = environment === 'sandbox';
  const { id, private_key: key } = isSandbox ? api.merchants().own : api.merchants().production;
  const base = `${isSandbox ? api.origin() : productionOrigin}/v1/${id}`;
  const token = await sendRequest(`${base}/tokens`, 'POST', { key, body: card });
  const body = { ...charge, source_id: token.body.id, device_session_id: 'd', customer: payer, ...overrides };
  const answer = await sendRequest(`${base}/charges`, 'POST', { key, body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.id;
}

/** Only for one test: it would sweep the records of the next tests. */
const startWorker = (env: Record<string, string>): void => {
  const worker = new Program('worker', {
    ...secrets,
    DATABASE_URL: api.database.url(),
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace.name,
    ...env,
  });
  atTheEnd(() => worker.stop());
};

const taskQueueOf = (id: string) =>
  eventually(async () => (await namespace.client().workflow.getHandle(`expiry-${id}`).describe()).taskQueue);

it('each worker handles the outbox of its environment, and runs its workflows in its own queue', async () => {
  const { url, key } = api.acquirer.credentials();
  const sandbox = await chargeIn('sandbox', { capture: false });
  const production = await chargeIn('production', { capture: false });
  const rows = () => db().outbox.findMany({ select: { object_id: true, environment: true, tries: true } });
  const ofSandbox = { object_id: sandbox, environment: 'sandbox', tries: 0 };
  expect(await rows()).toEqual([ofSandbox, { object_id: production, environment: 'production', tries: 0 }]);

  startWorker({ ENVIRONMENT: 'production', PRODUCTION_ACQUIRER_URL: url, PRODUCTION_ACQUIRER_KEY: key });
  expect(await taskQueueOf(production)).toBe('recaudo');
  // The sandbox's entry is older: if this worker handled it, it would be gone.
  await eventually(async () => expect(await rows()).toEqual([ofSandbox]));

  startWorker({ ENVIRONMENT: 'sandbox', ACQUIRER_URL: url });
  expect(await taskQueueOf(sandbox)).toBe('recaudo-sandbox');
  await eventually(async () => expect(await rows()).toEqual([]));
  const { schedule } = namespace.client();
  for (const id of ['sweep', 'sweep-sandbox']) await eventually(() => schedule.getHandle(id).describe());
});

it('recovery resolves unfinished transactions of the environments whose acquirer is configured', async () => {
  const log = pino({ level: 'silent' });
  const acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log });
  atTheEnd(() => acquirer.close());
  const id = await chargeIn('production');
  await abandonCharge(db(), id);
  const statusOf = async () => (await db().transaction.findUniqueOrThrow({ where: { id } })).status;
  expect([await recover(db(), { sandbox: acquirer }, log), await statusOf()]).toEqual([0, 'in_progress']);
  expect([await recover(db(), { production: acquirer }, log), await statusOf()]).toEqual([1, 'completed']);
});

it('webhooks are delivered for the requested environment', async () => {
  const { status, body } = await api.rest('POST', '/webhooks', { body: { url: 'http://127.0.0.1:1/' } });
  expect(status).toBe(201);
  await db().webhook.update({ where: { id: body.id }, data: { served_until: new Date('2100-01-01') } });
  await chargeIn('production');
  expect(await findQueuedWebhooks(db(), ['production'])).toEqual([]);
  expect(await findQueuedWebhooks(db(), ['sandbox', 'production'])).toContain(body.id);
});

it('the sweep deletes expired data of its environment', async () => {
  const { own, production } = api.merchants();
  for (const { id } of [own, production]) await rotateKeys(db(), id, 0, api.secret);
  const expired = () => db().apiKey.groupBy({ by: ['merchant_id'], where: { expires_at: { lte: new Date() } } });
  const ids = async () => (await expired()).map(({ merchant_id }) => merchant_id);
  await sweepActivities(db(), namespace.client(), ['production']).sweepExpired();
  expect(await ids()).toEqual([own.id]);
  await sweepActivities(db(), namespace.client(), ['sandbox'], 'recaudo-sandbox').sweepExpired();
  expect(await ids()).toEqual([]);
});
