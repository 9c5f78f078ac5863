/** A page of another origin cannot use a session in a real browser. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testBrowser } from '../../harness/browser/browser';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { testSessions } from '../../harness/merchant/sessions';
import { basic, testApi } from '../../harness/servers/api';

const api = testApi();
const { newSession } = testSessions(api);
const { browser } = testBrowser();

/** The origin of an empty page. */
async function startSite(): Promise<string> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Panel</title>'),
  );
  atTheEnd(() => void server.close());
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the responses that the page's script receives, and the number of preflight requests. */
async function openSite(origin: string) {
  const context = await browser().newContext();
  const page = await context.newPage();
  await page.goto(origin);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  let preflights = 0;
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.method === 'OPTIONS') preflights++;
  });
  const queryGraphql = (authorization: string): Promise<string> =>
    page.evaluate(
      async ([url, authorization]) => {
        const headers = { 'content-type': 'application/json', authorization: authorization ?? '' };
        const body = JSON.stringify({ query: '{ merchant { name } }' });
        const answer = await fetch(url ?? '', { method: 'POST', headers, body }).catch(() => undefined);
        return answer ? `${answer.status} ${await answer.text()}` : 'refused by the browser';
      },
      [`${api.origin()}/graphql`, authorization],
    );
  return { queryGraphql, preflights: () => preflights };
}

it('a page of an origin of the session reads the response, after one preflight request', async () => {
  const origin = await startSite();
  const { token } = await newSession({ origins: [origin] });
  const { queryGraphql, preflights } = await openSite(origin);
  expect(await queryGraphql(`Bearer ${token}`)).toMatch(/^200 .*"name":"Tienda"/);
  expect(await queryGraphql(`Bearer ${token}`)).toMatch(/^200 .*"name":"Tienda"/);
  expect(preflights()).toBe(1);
});

it('a page of another origin cannot read the response with the same session', async () => {
  const [own, other] = [await startSite(), await startSite()];
  const { token } = await newSession({ origins: [own] });
  const { queryGraphql } = await openSite(other);
  expect(await queryGraphql(`Bearer ${token}`)).toBe('refused by the browser');
});

it('a page cannot use a private key, even from an origin of a session', async () => {
  const origin = await startSite();
  await newSession({ origins: [origin] });
  const { queryGraphql } = await openSite(origin);
  expect(await queryGraphql(basic(api.merchants().own.private_key))).not.toContain('Tienda');
});
