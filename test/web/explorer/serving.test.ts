/** The availability of the explorer, its files, and its sign-in links. */

import { hashKey } from '../../../src/accounts/merchants/keys';
import { createSignInCode } from '../../../src/accounts/sessions/signInCodes';
import { banner } from '../../../src/local/banner';
import type { Credentials } from '../../../src/local/credentials';
import { testExplorer } from '../../harness/browser/explorer';
import { sizes } from '../../harness/browser/payers';
import { eventually } from '../../harness/flow/until';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const MAX_COMPRESSED_KB = 210;
/** The Accept-Encoding of a browser, and the encoding of the response. */
const ENCODINGS = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['identity', null],
] as const;

const api = testApi();
const { payers, url } = testExplorer(api);
const db = () => api.database.db();
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function newCode(private_key = api.merchants().own.private_key): Promise<string> {
  const key = await db().apiKey.findUniqueOrThrow({ where: { hash: hashKey(private_key, api.secret) } });
  return createSignInCode(db(), api.secret, { merchant_id: key.merchant_id, key_id: key.id });
}
const exchange = (code: string, origin = api.origin(), from = origin) =>
  sendRequest(`${origin}/session`, 'POST', { headers: { origin: from }, body: { code } });

describe('GET /graphql', () => {
  it('serves browsers a page without inline or third-party contents that cannot be framed', async () => {
    const answer = await fetch(url(), { headers: BROWSER });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/);
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]* src="\/)|<style| style=| on\w+=|https?:/);
  });

  it.each([undefined, '*/*', 'application/json'])('fails for Accept %s', async accept => {
    const answer = await sendRequest(url(), 'GET', { ...(accept && { headers: { accept } }) });
    expect([answer.status, errorOf(answer), answer.headers.get('allow')]).toEqual([405, 1005, 'POST, OPTIONS']);
  });

  it('fails in production, even for browsers, and so do its files', async () => {
    const files = (await (await fetch(url(), { headers: BROWSER })).text()).match(/\/pages\/\w+\/[\w.]+/g) ?? [];
    const production = await api.startProduction();
    const answer = await sendRequest(`${production}/graphql`, 'GET', { headers: BROWSER });
    expect([answer.status, errorOf(answer), answer.headers.get('allow')]).toEqual([405, 1005, 'POST, OPTIONS']);
    for (const file of files.filter(name => /explorer|schema/.test(name)))
      expect((await fetch(production + file)).status).toBe(404);
  });

  it('loads files that are compressed, small and cacheable forever', async () => {
    const files = (await (await fetch(url(), { headers: BROWSER })).text()).match(/\/pages\/\w+\/[\w.]+/g) ?? [];
    expect(files.map(file => file.split('/').at(-1)).sort()).toEqual([
      'explorer.css',
      'explorer.js',
      'icon.svg',
      'schema.graphql',
    ]);
    let bytes = 0;
    for (const file of files.filter(name => !name.endsWith('svg'))) {
      const texts = new Set<string>();
      for (const [accepted, expected] of ENCODINGS) {
        const answer = await fetch(api.origin() + file, { headers: { 'accept-encoding': accepted } });
        const used = answer.headers.get('content-encoding');
        expect([accepted, used]).toEqual([accepted, expected]);
        expect(answer.headers.get('cache-control')).toContain('immutable');
        if (used === 'br') bytes += Number(answer.headers.get('content-length'));
        texts.add(await answer.text());
      }
      expect(texts.size).toBe(1);
    }
    expect(bytes / 1024).toBeLessThan(MAX_COMPRESSED_KB);
  });
});

describe('a sign-in link', () => {
  it('is printed by npm start, signs in once, and leaves nothing in the URL', async () => {
    const { id, public_key, private_key } = api.merchants().own;
    const credentials = { url: api.origin(), graphql_url: url(), merchant_id: id, public_key, private_key };
    const printed = banner(credentials as Credentials, {
      isComplete: false,
      codes: ['', await newCode()],
      dataDir: '.data',
    });
    const [, link = ''] = /explorer +(\S+)/.exec(printed) ?? [];
    const page = await payers.open(link, { locale: 'en', viewport: sizes.desktop });
    await page.getByText(id).waitFor();
    expect(page.url()).toBe(url());
    expect(api.lines().join('')).not.toContain('sc_');
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('alert').getByText('The link was already used or has expired').waitFor();
  });

  it('creates a session of its key, and is invalid afterwards', async () => {
    const code = await newCode();
    const answer = await exchange(code);
    expect([answer.status, answer.body.merchant_id]).toEqual([201, api.merchants().own.id]);
    expect(answer.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Strict');
    expect([
      errorOf(await exchange(code)),
      await db().signInCode.count({ where: { merchant_id: api.merchants().own.id } }),
    ]).toEqual([1002, 0]);
  });

  it('signs in one of many concurrent users', async () => {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(401)]);
  });

  it('fails with 1010 from a page of another site, and remains valid', async () => {
    const code = await newCode();
    expect(errorOf(await exchange(code, api.origin(), 'https://elsewhere.example'))).toBe(1010);
    expect((await exchange(code)).status).toBe(201);
  });

  it('fails with 1002 if it is forged, expired, or its key is revoked or of the other environment', async () => {
    expect(errorOf(await exchange(`sc_${'0'.repeat(32)}`))).toBe(1002);
    expect(errorOf(await exchange('sc_'))).toBe(1002);
    const old = await newCode();
    await db().signInCode.updateMany({ data: { expires_at: new Date() } });
    expect(errorOf(await exchange(old))).toBe(1002);
    expect(errorOf(await exchange(await newCode(api.merchants().production.private_key)))).toBe(1002);
    const { id, key } = (await api.rest('POST', '/keys', { body: { kind: 'private' } })).body;
    const code = await newCode(key);
    await api.rest('DELETE', `/keys/${id}`);
    await eventually(async () => expect(errorOf(await exchange(code))).toBe(1002));
  });
});
