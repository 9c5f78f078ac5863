import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashKey } from '../../../src/accounts/merchants/keys';
import { testDatabase } from '../../harness/servers/database';
import { Program } from '../../harness/servers/program';

const secret = 'a secret of at least thirty-two characters';

describe('npm run merchant --', () => {
  const database = testDatabase();
  const merchant = async (...args: string[]) => {
    const program = new Program('merchant', { DATABASE_URL: database.url(), API_KEY_SECRET: secret }, args);
    return { code: await program.exited, output: program.output };
  };
  const create = (environment: string, name = 'Tienda', email = 'tienda@example.com') =>
    merchant('create', '--environment', environment, '--name', name, '--email', email, '--phone', '6011234567');
  const parseOutput = (output: string) =>
    Object.fromEntries(
      output
        .trim()
        .split('\n')
        .map(line => line.split(/ +/)),
    );

  it.each(['sandbox', 'production'])(
    'create creates a merchant in the %s environment and prints its keys',
    async environment => {
      const { code, output } = await create(environment);
      expect(code).toBe(0);
      const { id, private_key, public_key } = parseOutput(output);
      const created = await database
        .db()
        .merchant.findUnique({ where: { id }, include: { api_keys: { orderBy: { kind: 'asc' } } } });
      expect(created).toMatchObject({
        environment,
        name: 'Tienda',
        email: 'tienda@example.com',
        phone: '6011234567',
        api_keys: [
          { kind: 'private', hash: hashKey(private_key, secret), expires_at: null },
          { kind: 'public', hash: hashKey(public_key, secret), expires_at: null },
        ],
      });
    },
  );

  it('rotate-keys prints new keys and lets the old ones expire after the overlap', async () => {
    const { id, private_key } = parseOutput((await create('sandbox')).output);
    const rotated = parseOutput((await merchant('rotate-keys', '--id', id, '--overlap-hours', '2')).output);
    expect(rotated.private_key).not.toBe(private_key);
    const keys = await database
      .db()
      .apiKey.findMany({ where: { merchant_id: id, kind: 'private' }, orderBy: { creation_date: 'asc' } });
    expect(keys).toMatchObject([
      { hash: hashKey(private_key, secret), expires_at: expect.any(Date) },
      { hash: hashKey(rotated.private_key, secret), expires_at: null },
    ]);
    const hours = ((keys[0]?.expires_at?.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThanOrEqual(2);
    // The key that an earlier rotation left with a longer overlap.
    await merchant('rotate-keys', '--id', id, '--overlap-hours', '0');
    const alive = await database
      .db()
      .apiKey.count({ where: { merchant_id: id, kind: 'private', expires_at: { gt: new Date() } } });
    expect(alive).toBe(0);
  });

  it.each([
    [[]],
    [['create']],
    [['create', '--environment', 'staging', '--name', 'n', '--email', 'e']],
    [['create', '--environment', 'sandbox', '--name', 'n', '--email', 'e']],
    [['create', '--environment', 'sandbox', '--name', 'n', '--email', 'e', '--phone', ' ']],
    [['create', '--nonsense']],
    [['rotate-keys', '--id', 'm', '--overlap-hours', 'soon']],
  ])('prints its usage when called with %j', async args => {
    const { code, output } = await merchant(...args);
    expect(code).toBe(1);
    expect(output).toContain(
      'npm run merchant -- create --environment sandbox|production --name NAME --email EMAIL --phone PHONE',
    );
  });

  it('refuses a name that is too long and an unknown merchant', async () => {
    expect(await create('sandbox', 'x'.repeat(101))).toEqual({
      code: 1,
      output: 'Name, e-mail and phone must have at most 100 characters each.\n',
    });
    expect(await merchant('rotate-keys', '--id', 'nobody')).toEqual({
      code: 1,
      output: 'There is no merchant nobody.\n',
    });
  });

  it('prints an error when the database does not answer', async () => {
    const program = new Program('merchant', { DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:9/d' }, [
      'rotate-keys',
      '--id',
      'm',
    ]);
    expect(await program.exited).toBe(1);
    expect(program.output).toBe(
      'The database postgresql://u@127.0.0.1:9/d does not respond: connect ECONNREFUSED 127.0.0.1:9.\n',
    );
  });

  it('without DATABASE_URL uses the database that npm start embeds in DATA_DIR', async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'recaudo-data-'));
    writeFileSync(join(DATA_DIR, 'credentials.json'), JSON.stringify({ database_url: database.url() }));
    const program = new Program('merchant', { DATA_DIR }, [
      'create',
      '--environment',
      'sandbox',
      '--name',
      'Aquí',
      '--email',
      'a@b.co',
      '--phone',
      '6011234567',
    ]);
    expect(await program.exited).toBe(0);
    expect(await database.db().merchant.count({ where: { name: 'Aquí' } })).toBe(1);
    rmSync(DATA_DIR, { recursive: true });
  });
});
