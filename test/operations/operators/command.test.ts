/** `npm run operator` works on the database with the same rules as the GraphQL operations. */
import { readCommandLine } from '../../../src/operations/operators/commandLine';
import { commands } from '../../../src/operations/operators/commands';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { operatorCommands } from '../../harness/merchant/operatorCommands';
import { business, testOperators } from '../../harness/merchant/operators';
import { testApi } from '../../harness/servers/api';
import { Program } from '../../harness/servers/program';

const api = testApi();
const { newMerchant, requestLive, runAs } = testOperators(api);
const db = () => api.database.db();

const operator = async (...args: string[]) => {
  const program = new Program('operator', { DATABASE_URL: api.database.url(), API_KEY_SECRET: api.secret }, args);
  return { code: await program.exited, output: program.output };
};
/** Runs the command within this process, because starting another process takes a second. */
const run = operatorCommands(() => ({ db: db(), secret: api.secret }));
const json = async (...args: string[]) => (await run(...args)).json;
const newRequest = async () => {
  const merchant = await newMerchant('Flores');
  const { id } = (await requestLive(merchant.private_key)).body.data.requestLive;
  return { merchant, id: id as string };
};

it('merchants prints a table, or JSON', async () => {
  const { id } = await newMerchant('Ana');
  const { code, output } = await operator('merchants', '--find', 'ana', '--environment', 'sandbox');
  const [titles = '', row = ''] = output.split('\n');
  expect(code).toBe(0);
  expect(titles.split(/ {2,}/)).toEqual([
    'ID',
    'ENVIRONMENT',
    'STATUS',
    'NAME',
    'EMAIL',
    'COST RATE',
    'COST FIXED',
    'LINKED MERCHANT ID',
  ]);
  expect(row.split(/ {2,}/)).toEqual([id, 'sandbox', 'active', 'Ana', 'tienda@example.com', '2.9', '900', '-']);
  expect(JSON.parse((await operator('merchants', '--find', 'ana', '--json')).output)).toMatchObject([
    { id, cost_rate: 2.9, cost_fixed: 900 },
  ]);
  expect((await run('merchants', '--status', 'suspended')).text).toBe('No results.');
});

it('control characters in names are not sent to the terminal', async () => {
  await newMerchant('Evil\u001b[2J\nName');
  expect((await run('merchants', '--find', 'Evil')).text).toContain('Evil [2J Name');
});

it('suspend, resume, costs and reserve change a merchant, and the audit log names the command line as actor', async () => {
  const { id } = await newMerchant();
  expect(await json('suspend', id, '--reason', 'Too many chargebacks')).toMatchObject({
    status: 'suspended',
    suspension_reason: 'Too many chargebacks',
  });
  await expect(run('suspend', id, '--reason', 'Again')).rejects.toMatchObject({ error_code: 3006 });
  expect((await run('resume', id)).text).toMatch(/^status +active$/m);
  expect(await json('costs', id, '--rate', '1.5', '--fixed', '300')).toMatchObject({ cost_rate: 1.5, cost_fixed: 300 });
  expect(await json('reserve', id, '--amount', '2000000', '--reason', 'New shop')).toMatchObject({
    reserve: 2_000_000,
    available: 0,
  });
  const entries = await db().auditEntry.findMany({ where: { merchant_id: id }, orderBy: { id: 'asc' } });
  expect(entries.map(({ action, actor, actor_id }) => [action, actor, actor_id])).toEqual(
    [
      'merchant.created',
      'merchant.suspended',
      'merchant.resumed',
      'merchant.costs_changed',
      'merchant.reserve_changed',
    ].map(action => [action, 'operator', 'command line']),
  );
  expect(entries.at(-1)).toMatchObject({ before: { reserve: 0 }, after: { reserve: 2_000_000, reason: 'New shop' } });
});

it('pay sends the available balance of a merchant to its bank, and no more', async () => {
  const { id } = api.merchants().own;
  await expect(run('pay', id, '--amount', '1000')).rejects.toMatchObject({ error_code: 3006 });
  const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
  await api.rest('PUT', '', { body: { bank_account } });
  await expect(run('pay', id, '--amount', '1000')).rejects.toMatchObject({ error_code: 4001 });
  const { newCard, newCharge, settle } = merchantCalls(api);
  await newCharge(await newCard());
  await expect(run('pay', id, '--amount', '1000')).rejects.toMatchObject({ error_code: 4001 });
  await settle();
  expect(await json('pay', id, '--amount', '1000.5', '--description', 'Sales')).toMatchObject({
    status: 'in_progress',
    amount: 1000.5,
    description: 'Sales',
    bank_account: { number: 'XXXXXXX8901' },
  });
});

it('requests, return, approve and refuse decide on requests to go live', async () => {
  const { id, merchant } = await newRequest();
  expect((await run('requests', '--status', 'submitted')).text).toMatch(
    new RegExp(`^${id} .*Tienda S.A.S. +9001234568`, 'm'),
  );
  expect(await json('return', id, '--reason', 'Which bank?')).toMatchObject({ status: 'returned', url: null });
  await runAs(
    merchant.private_key,
    'mutation ($request: BusinessInput!) { updateLiveRequest(request: $request) { id } }',
    {
      request: business,
    },
  );
  const { production_merchant_id } = await json('approve', id);
  expect(await db().merchant.findUnique({ where: { id: production_merchant_id } })).toMatchObject({
    environment: 'production',
    name: 'Flores',
  });
  await expect(run('approve', id)).rejects.toThrow('The request for production access is approved, not submitted');
  const other = await newRequest();
  expect(await json('refuse', other.id, '--reason', 'No')).toMatchObject({ status: 'refused', reason: 'No' });
});

it('key create prints a key that works, key list masks it, and key revoke disables it', async () => {
  const made = await operator('key', 'create', '--role', 'admin', '--name', 'Ana', '--json');
  const { id, key } = JSON.parse(made.output);
  expect((await runAs(key, '{ operatorKeys { id } }')).map((each: { id: string }) => each.id)).toContain(id);
  const { text } = await run('key', 'list');
  expect(text).toMatch(new RegExp(`^${id} +admin +Ana +ok_…${key.slice(-4)} `, 'm'));
  expect(text).not.toContain(key);
  await run('key', 'revoke', id);
  expect(await db().operatorKey.count({ where: { id } })).toBe(0);
});

describe('help', () => {
  it('lists every command with its description', async () => {
    const { code, output } = await operator('--help');
    expect(code).toBe(0);
    for (const name of Object.keys(commands)) {
      expect(output).toContain(`npm run operator -- ${name} `);
      expect(readCommandLine([...name.split(' '), '--help'])).toContain(`\n\n${commands[name]?.summary}.`);
    }
    expect(readCommandLine(['costs', '--help'])).toMatch(
      /^npm run operator -- costs ID --rate NUMBER --fixed PESOS \[--reason TEXT\] \[--json\]\n/,
    );
  });
});

describe('refusals', () => {
  it.each([
    [['nonsense'], 'Unknown command nonsense. Run with --help for a list of commands.'],
    [['key'], 'Unknown command key. Run with --help for a list of commands.'],
    [['key', 'steal'], 'Unknown command key steal. Run with --help for a list of commands.'],
    [['merchants', '--nonsense'], "Unknown option '--nonsense'. See npm run operator -- merchants --help."],
    [['merchants', 'x'], 'Unexpected argument x. See npm run operator -- merchants --help.'],
    [['suspend', '--reason', 'x'], 'suspend requires an id. See npm run operator -- suspend --help.'],
    [['suspend', 'm1'], 'suspend requires --reason. See npm run operator -- suspend --help.'],
    [['suspend', 'm1', '--reason', ' '], 'suspend requires --reason. See npm run operator -- suspend --help.'],
    [['resume', "m'"], "Invalid id m'. See npm run operator -- resume --help."],
    [
      ['key', 'create', '--role', 'read', '--name', 'x'.repeat(101)],
      '--name must be one line of at most 100 characters. See npm run operator -- key create --help.',
    ],
    [[], expect.stringContaining('Usage:\n  npm run operator -- ')],
  ])('%j is refused before it has an effect', (args, sentence) => {
    expect(() => readCommandLine(args)).toThrow(expect.objectContaining({ message: sentence }));
  });

  it.each([
    [['resume', 'nobody'], 1005, 'The requested resource does not exist'],
    [['merchant', 'nobody'], 1005, 'There is no merchant nobody'],
    [['approve', 'nobody'], 1005, 'There is no request for production access nobody'],
    [['key', 'revoke', 'nobody'], 1005, 'There is no operator key nobody'],
    [['merchants', '--status', 'closed'], 1003, '--status must be one of active, suspended'],
    [['key', 'create', '--role', 'king', '--name', 'x'], 1003, '--role must be one of read, support, admin'],
    [['pay', 'nobody', '--amount', '1'], 1005, 'There is no merchant nobody'],
    [['costs', 'm1', '--rate', '2,9', '--fixed', '1'], 1001, '--rate must be an amount'],
    [['costs', 'm1', '--rate', '101', '--fixed', '1'], 1003, '--rate must be between 0 and 100'],
  ])('%j is refused as over GraphQL', async (args, error_code, message) => {
    await expect(run(...args)).rejects.toMatchObject({ error_code, message });
  });

  it('are one sentence with exit code 1', async () => {
    expect(await operator('merchant', 'nobody')).toEqual({ code: 1, output: 'There is no merchant nobody.\n' });
    expect(await operator('nonsense')).toEqual({
      code: 1,
      output: 'Unknown command nonsense. Run with --help for a list of commands.\n',
    });
  });
});
