// The merchant's server: keeps the private key, serves the page, and creates its sessions.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const { RECAUDO_URL, RECAUDO_PRIVATE_KEY, PORT = '5174', ORIGIN = `http://localhost:${PORT}` } = process.env;
const { DIST = join(import.meta.dirname, 'dist') } = process.env;
if (!RECAUDO_URL || !RECAUDO_PRIVATE_KEY) throw new Error('RECAUDO_URL and RECAUDO_PRIVATE_KEY are needed.');

const SESSION_MINUTES = 15;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ${RECAUDO_URL}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Authenticate your users before this: a session has read access. */
async function newSession() {
  const query = 'mutation ($session: CreateSession!) { createSession(session: $session) { token } }';
  const variables = { session: { origins: [ORIGIN], minutes: SESSION_MINUTES, scope: ['read'] } };
  const answer = await fetch(`${RECAUDO_URL}/graphql`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${RECAUDO_PRIVATE_KEY}:`).toString('base64')}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await answer.json();
  if (!data?.createSession) throw new Error(errors?.[0]?.message ?? `${answer.status}`);
  return { url: RECAUDO_URL, token: data.createSession.token };
}

createServer(async ({ method, url = '/' }, reply) => {
  const { pathname } = new URL(url, ORIGIN);
  try {
    if (pathname === '/session') {
      if (method !== 'POST') return reply.writeHead(405, { allow: 'POST' }).end();
      const session = JSON.stringify(await newSession());
      return reply.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(session);
    }
    const file = join(DIST, normalize(pathname === '/' ? '/index.html' : pathname));
    const type = `${TYPES[extname(file)] ?? 'application/octet-stream'}; charset=utf-8`;
    const content = await readFile(file);
    reply.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(content);
  } catch (error) {
    const isMissing = error.code === 'ENOENT' || error.code === 'EISDIR';
    if (!isMissing) console.error(error);
    reply.writeHead(isMissing ? 404 : 502).end();
  }
}).listen(Number(PORT), () => console.info(`The dashboard is at ${ORIGIN}`));
