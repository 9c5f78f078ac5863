import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/platform/config/config';
import { TEMPORAL_VARIABLES, temporalCredentials } from '../../src/platform/config/security/temporalTls';
import { openTemporal } from '../../src/platform/temporal';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { temporaryFile } from '../harness/flow/temporaryFile';
import { testDatabase } from '../harness/servers/database';
import { testPort } from '../harness/servers/port';
import { Program, untilAnswer } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { startTlsProxy } from '../harness/servers/tlsProxy';
import { createSelfSigned } from '../harness/webhooks/certificate';
import { apiVariables } from '../harness/world/secrets';
import { temporalAddress } from '../harness/world/temporal';

const NAME = 'temporal.example';
const server = createSelfSigned(NAME);
const client = createSelfSigned('recaudo');
const clientOf = (env: Record<string, string>) => {
  const config = readConfig(TEMPORAL_VARIABLES, env);
  const temporal = openTemporal(config.TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE, temporalCredentials(config));
  atTheEnd(() => temporal.connection.close());
  return temporal;
};

describe('a Temporal server with TLS that requires client certificates', () => {
  const database = testDatabase();
  const namespace = testNamespace();
  /** The variables with which processes connect and authenticate. */
  const variables = async () => ({
    TEMPORAL_ADDRESS: `127.0.0.1:${await startTlsProxy(
      Number(temporalAddress().split(':')[1]),
      { ...server, ca: client.cert, requestCert: true, rejectUnauthorized: true },
      'temporal',
    )}`,
    TEMPORAL_NAMESPACE: namespace.name,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: temporaryFile('server.pem', server.cert),
    TEMPORAL_TLS_SERVER_NAME: NAME,
    TEMPORAL_TLS_CLIENT_CERT_PATH: temporaryFile('client.pem', client.cert),
    TEMPORAL_TLS_CLIENT_KEY_PATH: temporaryFile('client.key', client.key),
  });

  it('is used by the API and the worker', async () => {
    const port = await testPort();
    const env = { ...apiVariables, ...(await variables()), DATABASE_URL: database.url(), PORT: `${port}` };
    const programs = [new Program('api', env), new Program('worker', env)];
    await untilAnswer(`http://127.0.0.1:${port}/ready`, { status: 200, body: { temporal: 'up', worker: 'up' } });
    expect(await Promise.all(programs.map(program => program.stop()))).toEqual([0, 0]);
  });

  it('refuses clients without a certificate, and is refused under another name', async () => {
    const { TEMPORAL_TLS_CLIENT_CERT_PATH, TEMPORAL_TLS_CLIENT_KEY_PATH, ...anonymous } = await variables();
    const certificate = { TEMPORAL_TLS_CLIENT_CERT_PATH, TEMPORAL_TLS_CLIENT_KEY_PATH };
    const answer = (env: Record<string, string>, timeoutMs: number) => {
      const { connection, workflowService } = clientOf(env);
      return connection.withDeadline(Date.now() + timeoutMs, () => workflowService.getSystemInfo({}));
    };
    await expect(answer({ ...anonymous, ...certificate }, 60_000)).resolves.toMatchObject({
      serverVersion: expect.anything(),
    });
    await expect(answer(anonymous, 2000)).rejects.toThrow();
    await expect(
      answer({ ...anonymous, ...certificate, TEMPORAL_TLS_SERVER_NAME: 'other.example' }, 2000),
    ).rejects.toThrow();
  });
});

it('a Temporal server that requires an API key receives it over TLS', async () => {
  const keys: unknown[] = [];
  const http2 = createSecureServer({ ...server }).listen(0, '127.0.0.1');
  http2.on('stream', (stream, headers) => {
    keys.push(headers.authorization);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '7' }, { endStream: true });
  });
  await once(http2, 'listening');
  atTheEnd(() => http2.close());
  const temporal = clientOf({
    TEMPORAL_ADDRESS: `127.0.0.1:${(http2.address() as AddressInfo).port}`,
    TEMPORAL_API_KEY: 'the-key',
    TEMPORAL_TLS: 'true',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: temporaryFile('server.pem', server.cert),
    TEMPORAL_TLS_SERVER_NAME: NAME,
  });
  await expect(temporal.workflowService.getSystemInfo({})).rejects.toThrow('PERMISSION_DENIED');
  expect(keys).toEqual(['Bearer the-key']);
});
