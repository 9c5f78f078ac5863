/** The example of a dashboard: it compiles, builds, and works in a real browser from its own origin. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/local/savedPorts';
import { fromRoot } from '../../src/platform/root';
import { testBrowser } from '../harness/browser/browser';
import { sizes } from '../harness/browser/payers';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { until } from '../harness/flow/until';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { testApi } from '../harness/servers/api';

const EXAMPLE = 'examples/dashboard-starter';

const api = testApi();
const shop = merchantCalls(api);
const { browser } = testBrowser();
const copy = mkdtempSync(join(tmpdir(), 'recaudo-starter-'));

/** In a copy, with the packages of the project, whose versions equal those of the example. */
function run(script: string, ...args: string[]): { status: number | null; output: string } {
  const env = { ...process.env, SCHEMA: fromRoot('schema.graphql') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: copy,
    encoding: 'utf8',
    env,
  });
  return { status, output: stdout + stderr };
}
const compile = () => run('node_modules/typescript/bin/tsc', '--noEmit');

beforeAll(() => {
  cpSync(fromRoot(EXAMPLE), copy, { recursive: true });
  symlinkSync(fromRoot('node_modules'), join(copy, 'node_modules'));
  expect(run('generate.mjs')).toEqual({ status: 0, output: '' });
});
afterAll(() => rmSync(copy, { recursive: true }));

it('specifies the package versions with which it is tested', () => {
  const read = (folder: string) => JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8'));
  const { dependencies, devDependencies } = read('.');
  const named = { ...read(EXAMPLE).dependencies, ...read(EXAMPLE).devDependencies };
  expect({ ...dependencies, ...devDependencies }).toMatchObject(named);
});

it('compiles, and does not compile with a field that the schema does not have', () => {
  expect(compile()).toEqual({ status: 0, output: '' });
  const file = join(copy, 'src/main.ts');
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.replace('merchant?.balance ?? 0', 'merchant?.wealth ?? 0'));
  expect(compile().output).toContain("Property 'wealth' does not exist");
  writeFileSync(file, source.replace('\n      balance\n', '\n      name\n'));
  expect(compile().output).toContain("Property 'balance' does not exist");
  writeFileSync(file, source);
});

it('is built, and shows charges as they occur, from another origin, with a session and never with the key', async () => {
  expect(run('node_modules/vite/bin/vite.js', 'build')).toMatchObject({ status: 0 });
  const { private_key } = api.merchants().own;
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  const { PATH = '' } = process.env;
  const env = { PATH, PORT: port, RECAUDO_URL: api.origin(), RECAUDO_PRIVATE_KEY: private_key };
  const server = spawn(process.execPath, ['server.mjs'], { cwd: copy, env, stdio: ['ignore', 'pipe', 'inherit'] });
  atTheEnd(() => server.kill());
  await once(server.stdout, 'data');

  const page = await browser().newPage({ viewport: sizes.desktop });
  const problems: string[] = [];
  page.on('console', message => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.message));
  const sent: string[] = [];
  page.on('request', request => sent.push(JSON.stringify([request.url(), request.headers(), request.postData()])));
  await page.goto(origin);
  await page.getByText('Aún no hay cobros').waitFor();
  await page.getByText('En vivo').waitFor();
  expect(await page.textContent('h1')).toBe('Tienda');

  const pay = async (amount: number) => shop.newCharge(await shop.newToken(), { amount });
  await pay(120_000);
  await page.getByRole('row', { name: 'Pagado 120.000' }).waitFor();
  expect(await page.isVisible('#empty')).toBe(false);
  expect(await page.textContent('#balance')).toMatch(/^\$ 11\d\.\d{3}/);

  // The session ends, and the page gets another session.
  const first = await api.database.db().session.findFirstOrThrow();
  await api.rest('DELETE', `/sessions/${first.id}`);
  await until(async () => (await api.database.db().session.count()) > 1);
  await pay(30_000);
  await page.getByRole('row', { name: 'Pagado 30.000' }).waitFor();

  if (process.env.SCREENSHOTS) await page.screenshot({ path: fromRoot('screenshots/dashboard-starter.png') });
  expect(sent.filter(text => text.includes(api.origin())).length).toBeGreaterThan(2);
  expect(sent.filter(text => text.includes('sk_'))).toEqual([]);
  expect(problems.filter(text => !text.includes('401'))).toEqual([]);
});
