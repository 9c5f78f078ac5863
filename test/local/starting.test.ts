import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../harness/flow/until';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { get } from '../harness/servers/program';
import { temporalAddress } from '../harness/world/temporal';

cleanUpAfterAll();

const fetchPage = async (url: string, language: string) => {
  const response = await fetch(url, { headers: { accept: 'text/html', 'accept-language': language } });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

describe('npm start, while it starts', () => {
  it('answers at its port that it is starting, and prints each part and at the end that all is up', async () => {
    const installation = await LocalInstallation.create();
    const launcher = installation.start();
    // Its database is not ready before it continues.
    const { pid } = await eventually(() => installation.readProcessRecord('postgres'));
    process.kill(pid, 'SIGSTOP');
    const page = await eventually(() => fetchPage(`${installation.url}/dashboard`, 'es'));
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2']);
    expect(page.html).toContain('recaudo está iniciando');
    expect(page.html).toContain('<meta http-equiv="refresh" content="2">');
    expect((await fetchPage(installation.url, 'en')).html).toContain('recaudo is starting');
    const body = { error_code: 1004, http_code: 503 };
    expect(await get(`${installation.url}/health`)).toMatchObject({ status: 503, body });
    expect(launcher.output).not.toContain('recaudo is up');
    process.kill(pid, 'SIGCONT');

    await launcher.waitForOutput('recaudo is up');
    expect(await get(`${installation.url}/ready`)).toMatchObject({ status: 200, body: { worker: 'up' } });
    expect((await fetchPage(installation.url, 'en')).status).toBe(200);
    const { acquirer_url, temporal_ui_url } = await installation.readJson();
    expect([(await fetch(`${acquirer_url}/health`)).status, (await fetch(temporal_ui_url ?? '')).status]).toEqual([
      200, 200,
    ]);
    const [before = ''] = launcher.output.split('recaudo is up');
    const parts = ['PostgreSQL', 'database schema', 'simulated acquirer', 'mail catcher', 'API and pages', 'worker'];
    for (const part of [...parts, 'Temporal', 'Temporal UI'])
      expect(before).toMatch(new RegExp(`^  ${part}[^\\n]*: up after [\\d.]+ s$`, 'm'));
  });

  it('writes the logs of its programs to files, and with --verbose to its output', async () => {
    const installation = await LocalInstallation.create();
    const start = async (args: string[]) => {
      const launcher = installation.start({ TEMPORAL_ADDRESS: temporalAddress() }, 'embedded', args);
      await launcher.waitForOutput('recaudo is up');
      expect(await launcher.stop()).toBe(0);
      return launcher.output;
    };
    const logs = join(installation.dataDir, 'logs');
    const quiet = await start([]);
    expect(quiet).toContain(`logs in ${logs}`);
    expect(quiet).not.toContain('stopping: waiting for');
    expect(readFileSync(join(logs, 'api.log'), 'utf8')).toContain('stopping: waiting for requests in flight');
    expect(readFileSync(join(logs, 'worker.log'), 'utf8')).toContain('stopping: waiting for activities in flight');
    expect(await start(['--verbose'])).toContain('stopping: waiting for requests in flight');
    expect(existsSync(logs)).toBe(false);
  });
});
