/** examples/typed-clients: generated from the current API documents, compiled, and run against the real API. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromRoot } from '../../src/platform/root';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { testApi } from '../harness/servers/api';

const api = testApi();
const project = mkdtempSync(join(tmpdir(), 'recaudo-clients-'));
const example = join(project, 'examples/typed-clients');

const compile = () =>
  spawnSync(process.execPath, [fromRoot('node_modules/typescript/bin/tsc'), '-p', example], { encoding: 'utf8' });

/** In a copy, so that nothing is written beside the sources. */
beforeAll(() => {
  atTheEnd(() => rmSync(project, { recursive: true }));
  for (const file of ['openapi.json', 'schema.graphql', 'scripts/clients.mjs']) {
    mkdirSync(join(project, 'scripts'), { recursive: true });
    cpSync(fromRoot(file), join(project, file));
  }
  for (const file of ['client.ts', 'operations.graphql', 'tsconfig.json'])
    cpSync(fromRoot('examples/typed-clients', file), join(example, file));
  symlinkSync(fromRoot('node_modules'), join(project, 'node_modules'));
  const { status, stderr } = spawnSync(process.execPath, [join(project, 'scripts/clients.mjs')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

it('compiles, and calls both APIs', async () => {
  expect(compile()).toMatchObject({ status: 0, stdout: '' });
  const { id, private_key } = api.merchants().own;
  const { PATH = '' } = process.env;
  const env = { PATH, RECAUDO_URL: api.origin(), MERCHANT_ID: id, PRIVATE_KEY: private_key };
  const options = { env, cwd: example };
  const { stdout } = await promisify(execFile)(process.execPath, ['generated/built/client.js'], options);
  const { customer, newest, amount } = JSON.parse(stdout);
  expect(customer).toMatch(/^a[a-z0-9]{19}$/);
  expect([newest, amount]).toEqual([customer, 49900]);
});

it.each([
  ['a text as amount', 'amount: 49900', "amount: '49900'"],
  ['an unknown enum value', "repeat_unit: 'month'", "repeat_unit: 'fortnight'"],
  ['a field that a response does not have', 'plan.amount', 'plan.price'],
  ['a missing variable', "name: 'María', ", ''],
  ['an unselected field', 'customers?.nodes[0]?.id', 'customers?.nodes[0]?.email'],
])('does not compile with %s', (_, right, wrong) => {
  const file = join(example, 'client.ts');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(right);
  writeFileSync(file, text.replace(right, wrong));
  const { status, stdout } = compile();
  writeFileSync(file, text);
  expect([status === 0, stdout]).toEqual([false, expect.stringMatching(/client\.ts\(\d+,\d+\): error TS/)]);
});
