import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import type { SavedPorts } from '../../src/local/savedPorts';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { testPort } from '../harness/servers/port';
import { getUntil, Program } from '../harness/servers/program';
import { secrets } from '../harness/world/secrets';

cleanUpAfterAll();

/** The status of a request whose Host header names this host; without one, the host of the URL. */
async function statusFor(url: string, host = new URL(url).host, method: 'GET' | 'POST' = 'GET'): Promise<number> {
  const { statusCode, body } = await request(url, { method, headers: { host } });
  await body.dump();
  return statusCode;
}

/** Hosts in requests of pages whose website lets its name resolve to this machine, and similar names. */
const foreignHosts = (port: string): string[] => [
  `rebound.example:${port}`,
  'rebound.example',
  `localhost.rebound.example:${port}`,
  `rebound.example:${port}@127.0.0.1:${port}`,
  `127.0.0.1.rebound.example:${port}`,
  '',
];

/** Ports on which a process listens. */
function portsOf(pid: number): number[] {
  const sockets = readdirSync(`/proc/${pid}/fd`).map(name => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return ''; // closed meanwhile
    }
  });
  const rows = ['tcp', 'tcp6'].flatMap(file => readFileSync(`/proc/${pid}/net/${file}`, 'utf8').split('\n').slice(1));
  return rows.flatMap(row => {
    const [, address = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    const isListening = state === '0A' && sockets.includes(`socket:[${inode}]`);
    return isListening ? [Number.parseInt(address.split(':')[1] ?? '', 16)] : [];
  });
}

async function servesOwnHostsOnly(url: string): Promise<void> {
  const { port } = new URL(url);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LocalHost:${port}`, 'localhost:1'])
    expect([host, await statusFor(url, host)]).toEqual([host, 200]);
  for (const host of foreignHosts(port)) expect([host, await statusFor(url, host)]).toEqual([host, 421]);
}

it('the parts of npm start answer only requests to this machine, so that no website can reach them', async () => {
  const installation = await LocalInstallation.create();
  const launcher = installation.start();
  await launcher.waitForOutput(/Temporal UI {3}http/);
  const { mail_url, acquirer_url, temporal_ui_url, temporal_namespace, metrics_url } = await installation.readJson();
  const ports = await installation.readJson<SavedPorts>('embedded.json');
  await servesOwnHostsOnly(`${mail_url}/messages`);
  await servesOwnHostsOnly(`${acquirer_url}/journal`);
  await servesOwnHostsOnly(`${temporal_ui_url}/api/v1/namespaces/${temporal_namespace}/workflows`);
  await servesOwnHostsOnly(temporal_ui_url ?? '');
  await servesOwnHostsOnly(metrics_url);
  for (const port of [ports.api_metrics_port, ports.worker_metrics_port])
    await servesOwnHostsOnly(`http://127.0.0.1:${port}/metrics`);

  const mailPort = new URL(mail_url ?? '').port;
  expect(await statusFor(`${mail_url}/messages`, `rebound.example:${mailPort}`, 'POST')).toBe(421);

  // Temporal also has an HTTP API, at a random port.
  const temporalPorts = portsOf((await installation.readProcessRecord('temporal')).pid);
  const { temporal_ui_hidden_port } = ports;
  expect(temporalPorts).toEqual(expect.arrayContaining([ports.temporal_port, temporal_ui_hidden_port]));
  for (const port of temporalPorts.filter(each => each !== temporal_ui_hidden_port)) {
    const status = await statusFor(`http://127.0.0.1:${port}/api/v1/namespaces`, 'rebound.example').catch(() => 'none');
    expect([port, status]).not.toEqual([port, 200]);
  }
  // The server of the UI itself checks no host. Browsers, and fetch, do not connect to its port.
  await expect(fetch(`http://127.0.0.1:${temporal_ui_hidden_port}`)).rejects.toMatchObject({
    cause: { message: 'bad port' },
  });
});

it('the simulated acquirer also serves its public name and the name of its machine', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-simulator-'));
  const port = await testPort();
  const simulator = new Program('simulator', {
    ACQUIRER_KEY: secrets.ACQUIRER_KEY,
    ACQUIRER_PORT: `${port}`,
    ACQUIRER_PUBLIC_URL: 'https://bank.example',
    ACQUIRER_JOURNAL: join(directory, 'journal.ndjson'),
  });
  const journal = `http://127.0.0.1:${port}/journal`;
  await getUntil(journal, 200);
  await servesOwnHostsOnly(journal);
  expect(await statusFor(journal, 'bank.example')).toBe(200);
  expect(await statusFor(journal, `${hostname()}:${port}`)).toBe(200);
  expect(await statusFor(journal, 'other.bank.example')).toBe(421);
  await simulator.stop();
  rmSync(directory, { recursive: true });
});
