import { randomBytes } from 'node:crypto';
import { Prisma } from '../../prisma/generated/client';
import { vaultKeys as parseVaultKeys } from '../../src/platform/config/parsers';
import { createVaultKeys } from '../../src/vault/keys';
import { rotate } from '../../src/vault/rotate';
import { fingerprint, seal } from '../../src/vault/seal';
import { unseal } from '../../src/vault/unseal';
import { canary } from '../harness/cards/canaries';
import { visa } from '../harness/cards/testCards';
import { testApi } from '../harness/servers/api';
import { Program } from '../harness/servers/program';
import { secrets, vault } from '../harness/servers/secrets';

describe('the vault', () => {
  const sealed = seal(vault, canary.visa, 'number k1');

  it('opens what it sealed, and seals the same number differently each time', () => {
    expect(unseal(vault, sealed, 'number k1')).toBe(canary.visa);
    expect(Buffer.from(seal(vault, canary.visa, 'number k1')).equals(sealed)).toBe(false);
  });

  it('does not open what was moved to another row, used for another purpose, or changed in any byte', () => {
    expect(() => unseal(vault, sealed, 'number k2')).toThrow();
    expect(() => unseal(vault, sealed, 'cvv2 k1')).toThrow();
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => unseal(vault, changed, 'number k1')).toThrow();
    }
    expect(() => unseal(vault, sealed.subarray(0, 20), 'number k1')).toThrow();
  });

  it('recognizes equal numbers by a fingerprint that has a key of its own', () => {
    const other = { ...vault, fingerprinting: randomBytes(32) };
    expect(fingerprint(vault, canary.visa)).toEqual(fingerprint(vault, canary.visa));
    expect(fingerprint(vault, canary.visa)).not.toEqual(fingerprint(other, canary.visa));
    const sealing = { ...vault, sealing: { id: 'x', key: randomBytes(32) } };
    expect(fingerprint(vault, canary.visa)).toEqual(fingerprint(sealing, canary.visa));
  });

  it.each(['', 'a', 'a:b', `A:${'x'.repeat(44)}`, `${secrets.VAULT_KEYS},${secrets.VAULT_KEYS}`])(
    'refuses %p as VAULT_KEYS',
    text => expect(() => parseVaultKeys(text)).toThrow(/must/),
  );
});

describe('npm run vault:rotate', () => {
  const api = testApi();
  const newKey = `second:${randomBytes(32).toString('base64')}`;
  const both = { ...secrets, VAULT_KEYS: `${newKey},${secrets.VAULT_KEYS}` };
  const run = async (env: Record<string, string>) => {
    const program = new Program('rotateVault', { DATABASE_URL: api.database.url(), ...env });
    return { code: await program.exited, output: program.output };
  };
  const sealedRows = async () => {
    const db = api.database.db();
    const rows = [...(await db.card.findMany()), ...(await db.token.findMany())];
    return rows.flatMap(({ id, number_sealed, cvv2_sealed }) => [
      ...(number_sealed ? [[`number ${id}`, number_sealed] as const] : []),
      ...(cvv2_sealed ? [[`cvv2 ${id}`, cvv2_sealed] as const] : []),
    ]);
  };

  it('seals everything anew under the first key; a second run finds nothing to do', async () => {
    const { body: card } = await api.rest('POST', '/cards', { body: visa });
    await api.rest('PUT', `/cards/${card.id}`, { body: { cvv2: canary.cvv2 } });
    await api.rest('POST', '/tokens', { body: visa });
    const deleted = (await api.rest('POST', '/cards', { body: visa })).body.id;
    await api.rest('DELETE', `/cards/${deleted}`);
    const first = await run(both);
    expect([first.code, first.output]).toEqual([0, expect.stringContaining('4 sealed anew')]);
    const onlyNew = createVaultKeys(parseVaultKeys(newKey), vault.fingerprinting);
    const rows = await sealedRows();
    expect(rows).toHaveLength(4);
    for (const [purpose, sealed] of rows)
      expect([canary.visa, canary.cvv2]).toContain(unseal(onlyNew, sealed, purpose as `number ${string}`));
    expect((await run(both)).output).toContain('0 sealed anew');
  });

  it('works in batches and continues where it was stopped', async () => {
    const db = api.database.db();
    const [card] = await db.card.findMany({ where: { status: 'active' } });
    if (!card) throw new Error('no card');
    const ids = Array.from({ length: 1200 }, (_, i) => `k${String(i).padStart(19, '0')}`);
    await db.card.createMany({
      data: ids.map(id => ({
        ...card,
        id,
        address: Prisma.DbNull,
        cvv2_sealed: null,
        cvv2_date: null,
        number_sealed: seal(vault, canary.visa, `number ${id}`),
      })),
    });
    const keys = createVaultKeys(parseVaultKeys(both.VAULT_KEYS), vault.fingerprinting);
    const stop = new AbortController();
    const reported: number[] = [];
    const reportAndStop = (_: string, count: number) => {
      reported.push(count);
      stop.abort();
    };
    expect(await rotate(db, keys, reportAndStop, stop.signal)).toEqual({ sealed: 500, damaged: [] });
    expect(await rotate(db, keys, (_, count) => reported.push(count), new AbortController().signal)).toEqual({
      sealed: 700,
      damaged: [],
    });
    expect(reported).toEqual([500, 500, 700]);
  });

  it('leaves nothing under an old key; an API that knows only that key fails without losing what it cannot open', async () => {
    const keys = createVaultKeys(
      parseVaultKeys(`third:${randomBytes(32).toString('base64')},${both.VAULT_KEYS}`),
      vault.fingerprinting,
    );
    const { body: token } = await api.rest('POST', '/tokens', { body: visa });
    const db = api.database.db();
    const [card] = await db.card.findMany({ where: { status: 'active' } });
    const laterCardId = 'k0000000000000000000';
    let isInserted = false;
    // While cards are being rotated, one appears with an id that was passed already, as a card saved from a token does.
    const insertLaterCard = async (column: string): Promise<void> => {
      if (isInserted || column !== 'cards.number_sealed' || !card) return;
      isInserted = true;
      const sealed = {
        number_sealed: seal(vault, canary.visa, `number ${laterCardId}`),
        cvv2_sealed: null,
        cvv2_date: null,
      };
      await db.card.deleteMany({ where: { id: laterCardId } });
      await db.card.create({ data: { ...card, id: laterCardId, address: Prisma.DbNull, ...sealed } });
    };
    await rotate(db, keys, insertLaterCard, new AbortController().signal);
    expect(isInserted).toBe(true);
    const response = await api.rest('POST', '/cards', { body: { token_id: token.id, device_session_id: 'device' } });
    // The API of this test has neither of the new keys, so it cannot open the token any more.
    expect(response.status).toBe(500);
    const onlyNew = { ...keys, opening: new Map([...keys.unsealing].slice(0, 1)) };
    for (const [purpose, sealed] of await sealedRows())
      expect([canary.visa, canary.cvv2]).toContain(unseal(onlyNew, sealed, purpose as `number ${string}`));
  });

  it('names what cannot be opened, continues with the rest, and exits with 1', async () => {
    const db = api.database.db();
    const token = await db.token.findFirst({ where: { number_sealed: { not: null } } });
    await db.token.update({
      where: { id: token?.id ?? '' },
      data: { number_sealed: seal(vault, canary.visa, 'number elsewhere') },
    });
    const { code, output } = await run(both);
    expect(code).toBe(1);
    expect(output).toContain(`Not opened: tokens.number_sealed of ${token?.id}`);
    expect(output).not.toContain('can be taken out');
  });

  it('refuses a wrong key under the name of a known one', async () => {
    const { code, output } = await run({ ...secrets, VAULT_KEYS: `second:${randomBytes(32).toString('base64')}` });
    expect([code, output.trim()]).toEqual([
      1,
      'The key second in VAULT_KEYS is not the one that this database was sealed with under that name.',
    ]);
  });
});

describe('npm run api without keys', () => {
  it('exits with one clear sentence', async () => {
    const { VAULT_KEYS: _, ...rest } = secrets;
    const variables = {
      DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ACQUIRER_URL: 'http://127.0.0.1:1',
    };
    const program = new Program('api', { ...variables, ...rest });
    expect(await program.exited).toBe(1);
    expect(program.output.trim()).toMatch(/^VAULT_KEYS is missing: [^\n]+\.$/);
  });
});
