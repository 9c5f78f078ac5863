/** A sandbox merchant requests to go live. */
import { randomBytes } from 'node:crypto';
import { vaultKeys as parseVaultKeys } from '../../../src/platform/config/parsers';
import { createVaultKeys } from '../../../src/platform/vault/keys';
import { rotate } from '../../../src/platform/vault/rotate';
import { unseal } from '../../../src/platform/vault/unseal';
import { eventually } from '../../harness/flow/until';
import { COLLECT, testLiveRequests, UPDATE } from '../../harness/merchant/liveRequests';
import { business } from '../../harness/merchant/operators';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';
import { secrets, vault } from '../../harness/world/secrets';

const api = testApi();
const { runAs, newMerchant, requestLive, decide, newRequest, actionsOf, outboxOf } = testLiveRequests(api);
const db = () => api.database.db();

describe('requestLive', () => {
  it('stores the business data, masks the bank account number, and returns the address of the request page', async () => {
    const { id, request } = await newRequest();
    expect(request).toEqual({
      id: expect.stringMatching(/^l[a-z0-9]{19}$/),
      merchant_id: id,
      status: 'submitted',
      url: expect.stringMatching(`^${api.origin()}/live/y[a-z0-9]{19}$`),
      reason: null,
      submitted_at: expect.any(String),
      decided_at: null,
      production_merchant_id: null,
      keys_collected_at: null,
      business: {
        ...business,
        nit: '9001234568',
        representative: { ...business.representative, phone: '3001234567' },
        bank_account: { bank: 'Bancolombia', type: 'savings', number: 'XXXXXXX8901' },
        support_phone: '6011234567',
      },
    });
    expect(await actionsOf(id)).toEqual(['merchant.created', 'live_request.created']);
    expect(await outboxOf(request.id)).toEqual(['live_submitted_mail', 'live_operator_mail']);
  });

  it('encrypts the bank account number, and vault:rotate encrypts it again', async () => {
    const { id, request } = await newRequest();
    const read = () => db().liveRequest.findUniqueOrThrow({ where: { id: request.id } });
    const { account_sealed, ...row } = await read();
    expect(JSON.stringify(row)).not.toContain('2345678901');
    const purpose = { what: 'account', merchant_id: id, id: request.id } as const;
    expect(unseal(vault, account_sealed ?? new Uint8Array(), purpose)).toBe('12345678901');
    const second = ['second', randomBytes(32)] as const;
    const both = createVaultKeys(new Map([second, ...parseVaultKeys(secrets.VAULT_KEYS)]), vault.fingerprinting);
    await rotate(db(), both, () => undefined, new AbortController().signal);
    const onlySecond = createVaultKeys(new Map([second]), vault.fingerprinting);
    expect(unseal(onlySecond, (await read()).account_sealed ?? new Uint8Array(), purpose)).toBe('12345678901');
  });

  it('creates a draft without sending an e-mail when the request has no data', async () => {
    const { private_key } = await newMerchant();
    const { requestLive: draft } = (await requestLive(private_key, null)).body.data;
    expect(draft).toMatchObject({ status: 'draft', business: null, submitted_at: null });
    expect(await outboxOf(draft.id)).toEqual([]);
  });

  it('fails with 3006 for a second request, even a concurrent one; the same Idempotency-Key returns the first', async () => {
    const { id, private_key } = await newMerchant();
    const headers = { 'idempotency-key': 'live-1' };
    const first = await requestLive(private_key, business, headers);
    expect((await requestLive(private_key, business, headers)).text).toBe(first.text);
    expect(errorOf(await requestLive(private_key))).toBe(3006);
    expect(errorOf(await requestLive(private_key, null))).toBe(3006);
    const other = await newMerchant();
    const answers = await Promise.all(Array.from({ length: 10 }, () => requestLive(other.private_key)));
    expect(answers.filter(answer => errorOf(answer) === undefined)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 3006)).toHaveLength(9);
    expect(await db().liveRequest.count({ where: { merchant_id: { in: [id, other.id] } } })).toBe(2);
  });

  it.each<[string, object, number]>([
    ['nit', { nit: '900123456-7' }, 1003],
    ['nit', { nit: '12' }, 1001],
    ['nit', { nit: '' }, 1001],
    ['website', { website: 'tienda' }, 1003],
    ['website', { website: 'javascript:alert(1)' }, 1003],
    ['legal_name', { legal_name: ' ' }, 1001],
    ['legal_name', { legal_name: 'x'.repeat(151) }, 1001],
    ['support_email', { support_email: 'nobody' }, 1001],
    ['support_phone', { support_phone: '12' }, 1001],
    ['representative.phone', { representative: { ...business.representative, phone: 'call me' } }, 1001],
    ['representative.document', { representative: { ...business.representative, document: '1' } }, 1001],
    ['representative.email', { representative: { ...business.representative, email: 'x' } }, 1001],
    ['bank_account.number', { bank_account: { ...business.bank_account, number: '12345' } }, 1003],
    ['bank_account.number', { bank_account: { ...business.bank_account, number: 'XXXXXXX8901' } }, 1003],
    ['expected_monthly_volume', { expected_monthly_volume: 0 }, 1003],
    ['expected_monthly_volume', { expected_monthly_volume: '50.000.000' }, 1001],
    ['legal_name', { legal_name: 'Tienda 4111 1111 1111 1111' }, 1003],
  ])('refuses an invalid %s and writes nothing: %j', async (field, wrong, code) => {
    const { id, private_key } = await newMerchant();
    const answer = await requestLive(private_key, { ...business, ...wrong });
    expect([errorOf(answer), answer.body.errors[0].extensions.field]).toEqual([code, expect.stringContaining(field)]);
    expect(await db().liveRequest.count({ where: { merchant_id: id } })).toBe(0);
  });

  it('reports all invalid fields', async () => {
    const { private_key } = await newMerchant();
    const answer = await requestLive(private_key, {
      ...business,
      nit: '900123456-7',
      website: 'x',
      support_phone: '1',
    });
    const { fields } = answer.body.errors[0].extensions;
    expect(fields.map(({ field }: { field: string }) => field).sort()).toEqual(['nit', 'support_phone', 'website']);
  });

  it('fails with 1005 in production, and with 1010 for public and read-only keys', async () => {
    const { production, own } = api.merchants();
    const body = { query: 'mutation { requestLive { id } }' };
    const inProduction = await sendRequest(`${await api.startProduction()}/graphql`, 'POST', {
      key: production.private_key,
      body,
    });
    expect(errorOf(inProduction)).toBe(1005);
    expect(errorOf(await api.graphql(body.query, {}, { key: own.public_key }))).toBe(1010);
    const merchant = await newRequest();
    await db().apiKey.updateMany({ where: { merchant_id: merchant.id, kind: 'private' }, data: { read_only: true } });
    const readOnly = (document: string) => runAs(merchant.private_key, document);
    await eventually(async () => expect(errorOf(await readOnly('mutation { requestLive { id } }'))).toBe(1010));
    expect(await readOnly('{ liveRequest { status url } }')).toEqual({ status: 'submitted', url: null });
  });
});

describe('updateLiveRequest', () => {
  it('completes a draft or a returned request, and keeps the bank account when its masked number is sent', async () => {
    const { id, private_key } = await newMerchant();
    const { id: requestId } = (await requestLive(private_key, null)).body.data.requestLive;
    expect(await runAs(private_key, UPDATE, { request: business })).toMatchObject({
      id: requestId,
      status: 'submitted',
    });
    expect(errorOf(await runAs(private_key, UPDATE, { request: business }))).toBe(3006);
    expect(await decide('return', requestId)).toMatchObject({ status: 'returned', reason: 'Which bank?', url: null });
    expect(await runAs(private_key, '{ liveRequest { status reason } }')).toEqual({
      status: 'returned',
      reason: 'Which bank?',
    });
    const sealed = async () => (await db().liveRequest.findUniqueOrThrow({ where: { id: requestId } })).account_sealed;
    const before = await sealed();
    const bank_account = { bank: 'Davivienda', type: 'checking', number: 'XXXXXXX8901' };
    expect(await runAs(private_key, UPDATE, { request: { ...business, bank_account } })).toMatchObject({
      status: 'submitted',
      reason: null,
      business: { bank_account },
    });
    expect(await sealed()).toEqual(before);
    expect(await actionsOf(id)).toEqual([
      'merchant.created',
      'live_request.created',
      'live_request.changed',
      'live_request.returned',
      'live_request.changed',
    ]);
  });

  it('fails with 1005 without a request', async () => {
    const { private_key } = await newMerchant();
    expect(errorOf(await runAs(private_key, UPDATE, { request: business }))).toBe(1005);
    expect(errorOf(await runAs(private_key, '{ liveRequest { id } }'))).toBe(1005);
    expect(errorOf(await runAs(private_key, COLLECT))).toBe(1005);
  });
});
