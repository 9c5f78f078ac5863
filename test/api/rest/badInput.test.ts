/** Invalid requests, including those that Fastify or Node would otherwise answer by themselves. */
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { payer as maria } from '../../harness/merchant/merchantCalls';
import { basic, errorOf, testApi } from '../../harness/servers/api';
import { openConnection, type RawResponse, sendRaw } from '../../harness/servers/rawHttp';

const api = testApi();
/** A short timeout for requests that never end. */
const impatient = testApi({ patienceMs: 1500 });
const narrow = testApi({ limits: { LIMIT_OPEN_BODIES: 3 } });

const expectError = ({ status, headers, body }: RawResponse, code: number, http: number) => {
  expect(status).toBe(http);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(body).toEqual({
    category: 'request',
    error_code: code,
    description: expect.not.stringMatching(/FST_|HPE_|\bat \w+|Error:|select|insert/i),
    http_code: http,
    request_id: headers['request-id'],
  });
};
const head = (method: string, path: string, ...lines: string[]) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: recaudo',
    `Authorization: ${basic(api.merchants().own.private_key)}`,
    ...lines,
    '',
    '',
  ].join('\r\n');
const customers = () => `/v1/${api.merchants().own.id}/customers`;
const post = (body: string | Buffer, ...lines: string[]) =>
  sendRaw(
    api.origin(),
    Buffer.concat([
      Buffer.from(head('POST', customers(), `Content-Length: ${Buffer.byteLength(body)}`, ...lines)),
      Buffer.from(body),
    ]),
  );

describe('an invalid body', () => {
  it.each([
    ['broken JSON', '{"name":'],
    ['a string', '"maria"'],
    ['a number', '7'],
    ['null', 'null'],
    ['an array', '[]'],
    ['an array of objects', JSON.stringify([maria])],
    ['nothing', ''],
    ['a form', 'name=Maria'],
    ['a duplicate key', '{"name":"a","name":"b","email":"a@b.co"}'],
    ['a nested duplicate key', '{"name":"a","email":"a@b.co","customer_address":{"city":"a","city":"b"}}'],
    ['a duplicate key with the same value', '{"name":"a","name":"a","email":"a@b.co"}'],
    ['a duplicate key with an escape sequence', '{"name":"a","n\\u0061me":"a","email":"a@b.co"}'],
    ['a duplicate key with a distant colon', `{"name":"a","name"${' '.repeat(60)}:"b","email":"a@b.co"}`],
    ['1e400', '{"name":"a","email":"a@b.co","external_id":1e400}'],
    ['-1e400', '{"name":"a","email":"a@b.co","external_id":-1e400}'],
    ['NaN', '{"name":"a","email":"a@b.co","external_id":NaN}'],
    ['an invalid UTF-8 byte', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['33 levels', `{"a":${'['.repeat(33)}${']'.repeat(33)}}`],
    ['100,000 brackets', '['.repeat(100_000)],
  ])('fails with 1001 for %s', async (_, body) => expectError(await post(body), 1001, 400));

  it('fails with 1009 for more than 256 KiB, with Content-Length or chunked', async () => {
    const large = JSON.stringify({ ...maria, note: 'x'.repeat(256 * 1024) });
    expectError(await post(large), 1009, 413);
    const chunk = `${Buffer.byteLength(large).toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    expectError(
      await sendRaw(api.origin(), head('POST', customers(), 'Transfer-Encoding: chunked') + chunk),
      1009,
      413,
    );
  });

  it('fails with 1009 after it was received, however long the client keeps sending', async () => {
    for (const megabytes of [4, 20])
      expect((await api.rest('POST', '/customers', { body: 'x'.repeat(megabytes * 1_000_000) })).status).toBe(413);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'nonsense',
    ';;;',
    'application/json; charset=latin1',
  ])('is read as JSON when its content type is %s', async type =>
    expect((await post(JSON.stringify(maria), `Content-Type: ${type}`)).status).toBe(201),
  );

  it('is read as JSON without a content type', async () => {
    expect((await post(JSON.stringify(maria))).status).toBe(201);
  });
});

describe('an invalid request', () => {
  it('fails with 1005 for a path that does not exist, with or without a key', async () => {
    for (const path of ['/v2/x', '/v1', '/v1/a/b/c/d', `${customers()}/a/b`])
      expectError(await sendRaw(api.origin(), head('GET', path)), 1005, 404);
  });

  it('fails with 405 and an Allow header for a method that the path does not support', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT', 'OPTIONS', 'PROPFIND', 'TRACE', 'SEARCH', 'QUERY']) {
      const answer = await sendRaw(api.origin(), head(method, customers(), 'Content-Length: 0'));
      expectError(answer, 1005, 405);
      expect(answer.headers.allow).toBe('POST, GET, HEAD');
    }
    for (const path of ['/health', '/ready', '/ready/api', '/openapi.json']) {
      const answer = await sendRaw(api.origin(), head('DELETE', path));
      expectError(answer, 1005, 405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
    expectError(await sendRaw(api.origin(), head('BREW', customers())), 1001, 400);
    expectError(await sendRaw(api.origin(), 'CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'), 1005, 404);
  });

  it.each([
    ['invalid percent-encoding', () => head('GET', `${customers()}/%zz`)],
    ['headers of 40 KB', () => head('GET', customers(), `X-Long: ${'x'.repeat(40_000)}`)],
    ['a request line of 100 KB', () => head('GET', `${customers()}?external_id=${'x'.repeat(100_000)}`)],
    ['no Host', () => 'GET /health HTTP/1.1\r\n\r\n'],
    ['bytes that are not HTTP', () => 'hello\r\n\r\n'],
    ['a bad Content-Length', () => head('POST', customers(), 'Content-Length: abc')],
    [
      'both Content-Length and chunks',
      () => head('POST', customers(), 'Content-Length: 2', 'Transfer-Encoding: chunked'),
    ],
  ])('fails with 1001 for %s', async (_, bytes) => expectError(await sendRaw(api.origin(), bytes()), 1001, 400));

  it('fails with 1005 for a path parameter that is longer than any identifier', async () => {
    expectError(await sendRaw(api.origin(), head('GET', `${customers()}/${'a'.repeat(3000)}`)), 1005, 404);
  });

  it('is accepted with an unknown Expect header, and with a key after two thousand other headers', async () => {
    expect((await sendRaw(api.origin(), head('GET', customers(), 'Expect: miracles'))).status).toBe(200);
    const manyHeaders = Array.from({ length: 2500 }, (_, i) => `a${i}: 1`);
    const { private_key } = api.merchants().own;
    const keyLast = [
      `GET ${customers()} HTTP/1.1`,
      ...manyHeaders,
      'Host: x',
      `Authorization: ${basic(private_key)}`,
      '',
      '',
    ].join('\r\n');
    expect((await sendRaw(api.origin(), keyLast)).status).toBe(200);
  });

  it('is accepted with headers of 16 KiB', async () => {
    expect((await sendRaw(api.origin(), head('GET', customers(), `X-Long: ${'x'.repeat(16_000)}`))).status).toBe(200);
  });

  it('fails with 1001 after a timeout if its body never ends', async () => {
    expectError(
      await sendRaw(impatient.origin(), `${head('POST', customers(), 'Content-Length: 100')}{"name"`, {
        keepOpen: true,
      }),
      1001,
      400,
    );
  });

  it.each([
    ['a body', () => head('POST', customers(), 'Content-Length: 100000')],
    ['chunks', () => `${head('POST', customers(), 'Transfer-Encoding: chunked')}7FFFFFFF\r\n`],
    ['a body that no route reads', () => head('GET', '/health', 'Content-Length: 100000')],
    ['headers', () => 'GET /health HTTP/1.1\r\nHost: x\r\nX-Long: '],
  ])('is closed after a timeout, although the client continues to send %s', async (_, bytes) => {
    const { socket, received } = openConnection(impatient.origin(), bytes());
    const sending = setInterval(() => socket.write('x'), 50);
    atTheEnd(() => clearInterval(sending));
    expect(await received).toMatch(/^HTTP\/1.1 (400 Bad Request|200 OK)\r\n/);
  });

  it('fails with 1011 if its address is sending many other bodies', async () => {
    const { id, private_key } = narrow.merchants().own;
    const request = head('POST', `/v1/${id}/customers`, 'Content-Length: 100');
    const open = () => openConnection(narrow.origin(), `${request}{`);
    const connections = [open(), open(), open()];
    atTheEnd(() => connections.map(({ socket }) => socket.destroy()));
    const create = () => narrow.rest('POST', '/customers', { key: private_key, body: maria });
    await until(async () => errorOf(await create()) === 1011);
    expect(await open().received).toMatch(/^HTTP\/1.1 429 /);
    expect((await narrow.rest('GET', '/customers')).status).toBe(200);
    connections[0]?.socket.destroy();
    await until(async () => (await create()).status === 201);
  });

  it('fails with 1001 after a timeout if its headers never end', async () => {
    expectError(
      await sendRaw(impatient.origin(), 'GET /health HTTP/1.1\r\nHost: x\r\n', { keepOpen: true }),
      1001,
      400,
    );
  });

  it('is accepted if it is a GET or DELETE with a content type and no body', async () => {
    const { body } = await api.rest('POST', '/customers', { body: maria });
    const path = `${customers()}/${body.id}`;
    expect((await sendRaw(api.origin(), head('GET', path, 'Content-Type: application/json'))).status).toBe(200);
    const deleted = await api.rest('DELETE', `/customers/${body.id}`, {
      headers: { 'content-type': 'application/json' },
    });
    expect(deleted.status).toBe(204);
  });
});

describe('an internal error', () => {
  it('responds 1000 without the cause, which the log has under the same request_id', async () => {
    const { database } = api;
    await database.db().$executeRaw`alter table customers rename to hidden`;
    const answer = await api.rest('GET', '/customers');
    const graphql = await api.graphql('{ customers { nodes { id } } }');
    await database.db().$executeRaw`alter table hidden rename to customers`;
    expect([answer.status, errorOf(answer), errorOf(graphql)]).toEqual([500, 1000, 1000]);
    for (const { text } of [answer, graphql]) expect(text).not.toMatch(/prisma|relation|hidden|select/i);
    const line = api
      .lines()
      .find(text => text.includes(answer.body.request_id) && text.includes('request: internal error'));
    expect(line).toContain('customers');
    expect(JSON.parse(line ?? '{}')).toMatchObject({ merchant: api.merchants().own.id });
    const { request_id } = graphql.body.errors[0].extensions;
    const other = api.lines().find(text => text.includes(request_id) && text.includes('request: internal error'));
    expect(JSON.parse(other ?? '{}')).toMatchObject({ merchant: api.merchants().own.id });
  });
});
