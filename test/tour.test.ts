/** Runs the tour of README.md against a real `npm start`: every block, in order, in one shell. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromRoot } from '../src/platform/root';
import { isRelease } from './harness/flow/tier';
import { cleanUpAfterAll, LocalInstallation } from './harness/servers/localInstallation';
import { get, getUntil } from './harness/servers/program';

cleanUpAfterAll();

const [, afterHeading = ''] = readFileSync(fromRoot('README.md'), 'utf8').split('\n## Five-minute tour\n');
const [section = ''] = afterHeading.split('\n## ');
const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) => code);

/** The second run is for the release: it finds only a command that cannot be repeated. */
const RUNS = isRelease ? ['once', 'again on the same data'] : ['once'];

const MARK = '=== end of block ===';

/** The output of each block as a terminal shows it. The shell ends at the first failing command. */
async function runTour(directory: string): Promise<string[]> {
  const script = blocks.map(block => `${block}\necho '${MARK}'\n`).join('');
  const { PATH = '', HOME = '' } = process.env;
  const shell = ['-c', `exec 2>&1\nset -euo pipefail\n${script}`];
  const options = { cwd: directory, env: { PATH, HOME }, timeout: 280_000 };
  const { stdout } = await promisify(execFile)('bash', shell, options).catch(({ code, stdout }) => {
    throw new Error(`The tour ended with ${code}:\n${stdout}`);
  });
  return stdout.split(`${MARK}\n`).slice(0, -1);
}

describe('the tour in README.md', () => {
  let installation: LocalInstallation;
  let directory: string;

  beforeAll(async () => {
    installation = await LocalInstallation.create();
    const launcher = installation.start();
    await launcher.waitForOutput(/Temporal UI {3}http/);
    await getUntil(`${installation.url}/ready`, 200);
    directory = mkdtempSync(join(tmpdir(), 'recaudo-tour-'));
    symlinkSync(installation.dataDir, join(directory, '.data'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(RUNS)('works %s, and prints the documented output', async () => {
    const [helpers, saved, charged, subscribed, moved, history = '', declined, addresses = '', ...more] =
      await runTour(directory);
    expect(more).toEqual([]);
    expect(helpers).toBe('');

    expect(saved).toContain("name: 'María Gómez'");
    expect(saved).toContain("card_number: '411111XXXXXX1111'");
    expect(charged).toContain("status: 'completed'");
    expect(charged).toContain('amount: 100000');
    expect(charged).toContain('fee: { amount: 3800, tax: 722');
    expect(subscribed).toContain("repeat_unit: 'month'");
    expect(subscribed).toContain("status: 'active'");
    const [, id = ''] = /id: '(s[a-z0-9]{19})'/.exec(subscribed ?? '') ?? [];
    const [, renewal = ''] = /charge_date: '([\d-]+)'/.exec(subscribed ?? '') ?? [];
    expect(moved).toContain(`now: '${renewal}T23:00:00-05:00'`);

    const { subscription } = JSON.parse(history);
    expect(subscription).toMatchObject({ status: 'active', current_period_number: 2 });
    expect(subscription.charge_date > renewal).toBe(true);
    const entries = subscription.history.entries.nodes.toReversed();
    expect(entries.map(({ description }: { description: string }) => description)).toEqual([
      'The subscription was created.',
      'Period 1 was charged.',
      'Period 2 was charged.',
    ]);
    expect(entries[2].date).toContain(renewal);
    expect(subscription.history.summary).toContain('period 2 is paid until');
    expect(subscription.history.next).toBe(`Period 3 is charged on ${subscription.charge_date}.`);
    const paid = { amount: 49900, status: 'completed' };
    expect(subscription.charges).toEqual({ nodes: [paid, paid] });

    expect(declined).toContain('3003');
    const { url, private_key, temporal_ui_url } = await installation.readJson();
    const now = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${private_key}:`).toString('base64')}` },
      body: JSON.stringify({
        query: `{ subscription(subscription_id: "${id}") { status charges { edges { node { status error_code } } } } }`,
      }),
    });
    const edges = [{ node: { status: 'completed' } }, { node: { status: 'failed', error_code: 3003 } }, {}, {}];
    expect(await now.json()).toMatchObject({
      data: { subscription: { status: 'active', charges: { edges } } },
    });
    const [lifeLine = '', address = ''] = addresses.split('\n');
    expect(lifeLine).toBe(`${url}/dashboard/subscriptions/${id}`);
    expect((await fetch(lifeLine, { headers: { accept: 'text/html' } })).status).toBe(200);
    const page = `/namespaces/default/workflows/subscription-${id}`;
    expect(address).toBe(`${temporal_ui_url}${page}`);
    expect((await fetch(address)).status).toBe(200);
    expect((await get(`${temporal_ui_url}/api/v1${page}`)).body).toMatchObject({
      workflowExecutionInfo: { execution: { workflowId: `subscription-${id}` }, type: { name: 'subscription' } },
    });
  });
});
