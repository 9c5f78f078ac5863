/**
 * A new field is a line in each shape that has it, and a column with its migration. Shown on payments, which batched
 * statements write, on a copy of the program with a real database.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transformFile } from '@swc/core';
import { createMerchant } from '../../src/accounts/merchants/accounts';
import { variables } from '../../src/platform/config/variables';
import { fromRoot } from '../../src/platform/root';
import { visa } from '../harness/cards/testCards';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { testAcquirer } from '../harness/servers/acquirer';
import { sendRequest } from '../harness/servers/api';
import { startApi } from '../harness/servers/apiProgram';
import { testDatabase } from '../harness/servers/database';
import { Program } from '../harness/servers/program';

const COPIED = ['src', 'workflows', 'prisma', 'package.json', 'prisma.config.ts', 'tsconfig.json'];
/** The browser assets, which do not depend on the new field. */
const COPIED_BUILDS = ['dist/guides.json', 'dist/pictures', 'dist/browser', 'dist/src/web/reference/answers.json'];

const database = testDatabase();
const acquirer = testAcquirer();
const copy = mkdtempSync(join(tmpdir(), 'recaudo-copy-'));
afterAll(() => rmSync(copy, { recursive: true }));

/** Inserts a line after the line that contains `anchor`. */
function addLine(file: string, anchor: string, line: string): void {
  const lines = readFileSync(join(copy, file), 'utf8').split('\n');
  const index = lines.findIndex(text => text.includes(anchor));
  expect(index).toBeGreaterThan(-1);
  writeFileSync(join(copy, file), lines.toSpliced(index + 1, 0, line).join('\n'));
}

function addField(): void {
  const [request, answer] = ['src/payments/charges/requests.ts', 'src/payments/charges/fields.ts'];
  addLine(request, 'export class Payable', `@Text('Where it was sold', { optional: true, max: 20 }) branch?: string;`);
  addLine(answer, 'export class Movement', `@Text('Where it was sold', { nullable: true }) branch!: string | null;`);
  addLine('prisma/schema.prisma', 'model Transaction', '  branch String? @db.VarChar(20)');
  const migration = join(copy, 'prisma/migrations/29990101000000_branch');
  mkdirSync(migration);
  writeFileSync(join(migration, 'migration.sql'), 'alter table transactions add column branch varchar(20);');
}

/** Like scripts/build.mjs, but without the slow type check. */
async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { cwd: copy });
  const { jest } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
  const [, options] = jest.transform['\\.ts$'];
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter(isSource)) {
    const { code } = await transformFile(join(copy, name), { ...options, swcrc: false });
    const output = join(copy, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, code);
  }
}

const isSource = (name: string): boolean => /^(src|workflows|prisma\/generated)\/.*\.ts$/.test(name);

async function startCopy(): Promise<string> {
  const variables = { DATABASE_URL: database.url(), ACQUIRER_URL: acquirer.credentials().url };
  expect(await new Program('migrate', variables, [], copy).exited).toBe(0);
  const { origin, program } = await startApi(variables, copy);
  atTheEnd(() => program.stop());
  return origin;
}

it('a payment stores and shows a field that was added to the shapes and the table', async () => {
  for (const name of [...COPIED, ...COPIED_BUILDS]) cpSync(fromRoot(name), join(copy, name), { recursive: true });
  symlinkSync(fromRoot('node_modules'), join(copy, 'node_modules'));
  addField();
  await build();
  const origin = await startCopy();

  const account = { environment: 'sandbox', name: 'Tienda', email: 'tienda@example.com', phone: '6011234567' } as const;
  const { id, private_key: key } = await createMerchant(database.db(), account, variables.API_KEY_SECRET.defaultValue);
  const post = (path: string, body: object) => sendRequest(`${origin}/v1/${id}${path}`, 'POST', { key, body });
  const { id: source_id } = (await post('/tokens', visa)).body;
  const customer = { name: 'María', email: 'maria@example.com' };
  const payment = { amount: 100000, currency: 'COP', iva: '19', description: 'Order', customer, branch: 'Envigado' };
  const card = await post('/charges', { ...payment, method: 'card', source_id, device_session_id: 'device' });
  expect(card).toMatchObject({ status: 200, body: { status: 'completed', branch: 'Envigado' } });
  const voucher = await post('/charges', { ...payment, method: 'store' });
  expect(voucher).toMatchObject({ status: 200, body: { branch: 'Envigado' } });
  const { branch: _, ...without } = payment;
  expect(await post('/charges', { ...without, method: 'store' })).toMatchObject({
    status: 200,
    body: { branch: null },
  });

  const read = await sendRequest(`${origin}/v1/${id}/charges/${card.body.id}`, 'GET', { key });
  expect(read.body).toMatchObject({ id: card.body.id, branch: 'Envigado' });
  const body = { query: '{ charges(limit: 3) { nodes { branch } } }' };
  const { data } = (await sendRequest(`${origin}/graphql`, 'POST', { key, body })).body;
  expect(data.charges.nodes).toEqual([{ branch: null }, { branch: 'Envigado' }, { branch: 'Envigado' }]);
  const events = await sendRequest(`${origin}/v1/${id}/events?object_id=${card.body.id}`, 'GET', { key });
  expect(events.body).toMatchObject([{ type: 'charge.succeeded', transaction: { branch: 'Envigado' } }]);
});
