/** Forged requests to the page of a request to go live, and the data that the page never reveals. */
import { testLivePages, typed } from '../harness/browser/liveRequests';
import { send } from '../harness/browser/payers';
import { eventually } from '../harness/flow/until';
import { errorOf, testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const { runAs, keys, newDraft, newSubmitted, newApproved, statusOf } = testLivePages(api);
const db = () => api.database.db();

describe('requests that do not come from the page', () => {
  const post = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    send(url, form, headers);

  it('fail with 403 if they come from another site, and change nothing', async () => {
    const { id, url } = await newDraft();
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await post(url, typed, headers as Record<string, string>)).status).toBe(403);
    expect(await statusOf(id)).toBe('draft');
    const approved = await newApproved();
    const form = { private_key: approved.merchant.private_key };
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }])
      expect((await post(`${approved.url}/keys`, form, headers as Record<string, string>)).status).toBe(403);
    expect(await db().apiKey.count({ where: { merchant_id: approved.production } })).toBe(0);
  });

  it('get no production keys with other keys: of another merchant, public, read-only, operator, production', async () => {
    const { merchant, url, production } = await newApproved();
    const { own, production: another } = api.merchants();
    const origin = api.origin();
    const wrong = [
      own.private_key,
      merchant.public_key,
      keys.admin.key,
      another.private_key,
      '',
      'sk_',
      'x'.repeat(5000),
    ];
    for (const private_key of wrong) expect((await post(`${url}/keys`, { private_key }, { origin })).status).toBe(422);
    await db().apiKey.updateMany({ where: { merchant_id: merchant.id }, data: { read_only: true } });
    await eventually(async () =>
      expect(errorOf(await runAs(merchant.private_key, 'mutation { requestLive { id } }'))).toBe(1010),
    );
    const readOnly = await post(`${url}/keys`, { private_key: merchant.private_key }, { origin });
    expect(readOnly.status).toBe(422);
    expect(await db().apiKey.count({ where: { merchant_id: production } })).toBe(0);
  });

  it('sent 20 times concurrently show the keys to one caller', async () => {
    const { merchant, url } = await newApproved();
    const form = { private_key: merchant.private_key };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`${url}/keys`, form, { origin: api.origin() })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(303)]);
  });

  it('change nothing if the request is decided or the form is invalid, and take effect once if they are concurrent', async () => {
    const submitted = await newSubmitted();
    expect((await post(submitted.url, typed)).status).toBe(303);
    expect((await db().liveRequest.findUniqueOrThrow({ where: { id: submitted.id } })).business).toMatchObject({
      legal_name: 'Tienda S.A.S.',
    });
    const { id, url } = await newDraft();
    expect((await post(url, { ...typed, legal_name: 'x'.repeat(20_000) })).status).toBe(413);
    for (const wrong of [
      { legal_name: 'x'.repeat(200) },
      { legal_name: 'a\u0000b' },
      { 'bank_account.type': 'gold' },
      { expected_monthly_volume: '0' },
      { legal_name: '4111 1111 1111 1111' },
    ])
      expect((await post(url, { ...typed, ...wrong })).status).toBe(422);
    expect((await fetch(url, { method: 'POST', body: '%ff%fe=%&&&=' })).status).toBe(422);
    expect(await statusOf(id)).toBe('draft');
    const answers = await Promise.all([post(url, typed), post(url, typed)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await db().auditEntry.count({ where: { object_id: id, action: 'live_request.changed' } })).toBe(1);
  });

  it('fail with 405 for other methods, and with 404 in production', async () => {
    const { url } = await newDraft();
    expect((await fetch(url, { method: 'PUT' })).status).toBe(405);
    const origin = await api.startProduction();
    expect((await fetch(`${origin}${new URL(url).pathname}`)).status).toBe(404);
  });

  it('get headers that forbid foreign scripts, framing and caching', async () => {
    const { headers } = await fetch((await newDraft()).url);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|data:/);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
