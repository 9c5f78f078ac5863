/** The audit log: entries with actor and cause, sealed in a hash chain. */
import { readFile } from 'node:fs/promises';
import { readHeadLines } from '../../../src/accounts/auditLog/batch';
import { sealEntries } from '../../../src/accounts/auditLog/rows';
import { hashKey, newKey } from '../../../src/accounts/merchants/keys';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { newId } from '../../../src/platform/identifiers';
import { temporaryFile } from '../../harness/flow/temporaryFile';
import { until } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import { sendRequest } from '../../harness/servers/api';
import { vault } from '../../harness/world/secrets';

const headsFile = temporaryFile('heads.log', '');
const billing = testBilling({ workerVariables: () => ({ AUDIT_HEADS_FILE: headsFile }) });
const { api, shop } = billing;
const db = () => api.database.db();

interface Shown {
  action: string;
  actor: string;
  actor_id: string | null;
  object_id: string;
  address: string;
  request_id: string;
  before: unknown;
  after: unknown;
  number: number | null;
  hash: string | null;
}

const log = async (query = ''): Promise<Shown[]> => (await api.rest('GET', `/audit_log?limit=100${query}`)).body;
const about = (object_id: string) => log(`&object_id=${object_id}`);
const post = async (path: string, body: object) => (await api.rest('POST', path, { body })).body;
const seal = () => sealEntries(db(), BOTH_ENVIRONMENTS, vault.auditing);

describe('the audit log', () => {
  it('records the actor, the address and the request of a refund', async () => {
    const charge = await post('/charges', { ...shop.charge, source_id: await shop.newCard(), customer: shop.payer });
    const refund = await api.rest('POST', `/charges/${charge.id}/refund`, { body: { amount: 1000 } });
    const [entry, ...others] = await about(charge.id);
    const { private_key } = api.merchants().own;
    const key = await db().apiKey.findUniqueOrThrow({ where: { hash: hashKey(private_key, api.secret) } });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'charge.refund_requested',
      actor: 'key',
      actor_id: key.id,
      address: expect.stringMatching(/127\.0\.0\.1$/),
      request_id: refund.headers.get('request-id'),
      after: { refund_id: refund.body.refund.id, amount: 1000 },
    });
    expect((await log(`&actor_id=${key.id}`)).map(({ object_id }) => object_id)).toContain(charge.id);
    expect(await log('&actor_id=nobody')).toEqual([]);
  });

  it('does not record a refused refund', async () => {
    const charge = await post('/charges', { ...shop.charge, source_id: await shop.newCard(), customer: shop.payer });
    await api.rest('POST', `/charges/${charge.id}/refund`, { body: { amount: 9_999_999 } });
    expect(await about(charge.id)).toEqual([]);
  });

  it('records the previous values of a change, without secrets', async () => {
    const { id } = await post('/webhooks', { url: 'http://127.0.0.1:9/a', user: 'me', password: 'secreto-uno' });
    await api.rest('PUT', `/webhooks/${id}`, { body: { user: 'you', password: 'secreto-dos' } });
    await api.rest('PUT', `/webhooks/${id}`, { body: { url: 'http://127.0.0.1:9/b' } });
    await post(`/webhooks/${id}/rotate_secret`, {});
    await api.rest('DELETE', `/webhooks/${id}`);
    const entries = await about(id);
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['webhook.deleted', { url: 'http://127.0.0.1:9/b', user: 'you', event_types: [] }, null],
      ['webhook.secret_rotated', null, null],
      ['webhook.changed', { url: 'http://127.0.0.1:9/a' }, { url: 'http://127.0.0.1:9/b' }],
      ['webhook.changed', { user: 'me' }, { user: 'you', password: 'changed' }],
      ['webhook.created', null, { url: 'http://127.0.0.1:9/a', user: 'me', event_types: [] }],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/secreto|whsec/);
  });

  it('records every kind of action', async () => {
    const authorized = () =>
      shop
        .newCard()
        .then(source_id => post('/charges', { ...shop.charge, source_id, customer: shop.payer, capture: false }));
    const [captured, voided] = [await authorized(), await authorized()];
    await post(`/charges/${captured.id}/capture`, {});
    await post(`/charges/${voided.id}/refund`, {});
    const card = await shop.newCard();
    await api.rest('DELETE', `/cards/${card}`);
    const plan = await post('/plans', shop.plan);
    await api.rest('DELETE', `/plans/${plan.id}`);
    const customer = await post('/customers', shop.payer);
    await api.rest('DELETE', `/customers/${customer.id}`);
    const actions = async (id: string) => (await about(id)).map(({ action }) => action);
    expect(await actions(captured.id)).toEqual(['charge.capture_requested']);
    expect(await actions(voided.id)).toEqual(['charge.refund_requested']);
    expect(await actions(card)).toEqual(['card.deleted']);
    expect(await actions(plan.id)).toEqual(['plan.deleted']);
    expect(await actions(customer.id)).toEqual(['customer.deleted']);
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
    await api.rest('DELETE', `/customers/${subscription.customer_id}`);
    expect(await actions(subscription.id)).toEqual(['subscription.cancelled']);
  });

  it('records actions on a subscription by its merchant and in the Temporal UI', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
    await subscription.put({ cancel_at_period_end: true });
    await subscription.waitForWorkflow();
    await subscription.workflow().executeUpdate('cancel', { args: [{ reason: 'A twin', actor: 'ana' }] });
    await subscription.workflow().result();
    const [cancelled, changed] = await about(subscription.id);
    expect(changed).toMatchObject({
      action: 'subscription.changed',
      actor: 'key',
      before: { cancel_at_period_end: false },
      after: { cancel_at_period_end: true },
    });
    expect(cancelled).toMatchObject({
      action: 'subscription.cancelled',
      actor: 'temporal',
      actor_id: 'ana',
      before: { status: 'trial' },
      after: { status: 'cancelled', reason: 'A twin' },
    });
  });
});

describe('GET /audit_log', () => {
  it('returns only the entries of the merchant that calls it, with a private key', async () => {
    const { id, private_key, public_key } = api.merchants().other;
    const url = `${api.origin()}/v1/${id}/audit_log`;
    expect((await sendRequest(url, 'GET', { key: private_key })).body).toMatchObject([
      { action: 'merchant.created', actor: 'operator', actor_id: 'command line', object_id: id, address: null },
    ]);
    const { key } = (await api.rest('POST', '/keys', { body: { kind: 'private', read_only: true, name: 'reader' } }))
      .body;
    const own = `${api.origin()}/v1/${api.merchants().own.id}/audit_log`;
    expect((await sendRequest(own, 'GET', { key })).body).toMatchObject({ error_code: 1010 });
    expect((await sendRequest(url, 'GET', { key: public_key })).status).toBe(403);
    expect((await api.rest('GET', '/audit_log?action=nonsense')).body).toMatchObject({ error_code: 1003 });
    expect((await log('&action=webhook.deleted')).map(({ action }) => action)).toEqual(['webhook.deleted']);
  });

  it('is available to operators, for one merchant or all merchants, and not to merchants', async () => {
    const key = newKey('operator');
    const row = { id: newId('key'), hash: hashKey(key, api.secret), name: 'reader', role: 'read', last_four: '0000' };
    await db().operatorKey.create({ data: row });
    const ask = (query: string, by: string, path = '/operator/graphql') =>
      sendRequest(`${api.origin()}${path}`, 'POST', { key: by, body: { query } });
    const { own, other } = api.merchants();
    const all = await ask('{ operatorAuditLog(limit: 100) { nodes { action number } } }', key);
    expect(all.body.data.operatorAuditLog.nodes.length).toBeGreaterThan(5);
    const one = await ask(`{ operatorAuditLog(merchant_id: "${other.id}") { nodes { action name } } }`, key);
    expect(one.body).toMatchObject({
      data: { operatorAuditLog: { nodes: [{ action: 'merchant_created', name: 'merchant.created' }] } },
    });
    const refused = await ask('{ operatorAuditLog { nodes { action } } }', own.private_key);
    expect(refused.body.errors[0].extensions).toMatchObject({ error_code: 1010, http_code: 403 });
    const wrong = await ask('{ auditLog { nodes { action } } }', key, '/graphql');
    expect(wrong.body.errors[0].extensions.error_code).toBe(1010);
  });

  it('refuses changes even in the database', async () => {
    const refusal = /the audit log is never changed/;
    await seal();
    for (const table of ['audit_log', 'audit_seals', 'audit_batches']) {
      await expect(db().$executeRawUnsafe(`delete from ${table}`)).rejects.toThrow(refusal);
      await expect(db().$executeRawUnsafe(`truncate ${table} cascade`)).rejects.toThrow(refusal);
    }
    await expect(db().$executeRaw`update audit_log set actor_id = 'somebody else'`).rejects.toThrow(refusal);
    await expect(db().$executeRaw`update audit_seals set number = 0`).rejects.toThrow(refusal);
  });
});

describe('the hash chain', () => {
  it('includes each new entry within moments, because the worker seals it', async () => {
    await until(async () => (await log()).every(({ number, hash }) => number !== null && hash !== null));
    const numbers = (await log()).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, i) => numbers.length - i));
  });

  it('is signed, and the worker publishes the signature in its log and in AUDIT_HEADS_FILE', async () => {
    await until(async () => readHeadLines(await readFile(headsFile, 'utf8').catch(() => '')).length > 0);
    const [head] = readHeadLines(await readFile(headsFile, 'utf8'));
    const { signature } = await db().auditBatch.findUniqueOrThrow({ where: { number: head?.number ?? 0 } });
    expect(head).toEqual({ number: expect.any(Number), signature });
    expect(billing.workers.map(({ output }) => output).join()).toContain(signature);
  });
});
