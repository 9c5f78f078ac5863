import { randomBytes } from 'node:crypto';
import { Prisma } from '../../../prisma/generated/client';
import { columnTypes } from '../../../prisma/generated/columnTypes';
import { vaultKeys as parseVaultKeys } from '../../../src/platform/config/parsers';
import { createVaultKeys } from '../../../src/platform/vault/keys';
import { rotate } from '../../../src/platform/vault/rotate';
import { keyPrefix, type Purpose, type Sealed, seal } from '../../../src/platform/vault/seal';
import { unsealSecrets } from '../../../src/platform/vault/storedSecrets';
import { unseal } from '../../../src/platform/vault/unseal';
import { canary } from '../../harness/cards/canaries';
import { visa } from '../../harness/cards/testCards';
import { business, testOperators } from '../../harness/merchant/operators';
import { testApi } from '../../harness/servers/api';
import { Program } from '../../harness/servers/program';
import { secrets, vault } from '../../harness/world/secrets';

describe('npm run vault:rotate', () => {
  const api = testApi({ ownWorld: true });
  const { requestLive } = testOperators(api);
  const newKey = `second:${randomBytes(32).toString('base64')}`;
  const both = { ...secrets, VAULT_KEYS: `${newKey},${secrets.VAULT_KEYS}` };
  const run = async (env: Record<string, string>) => {
    const program = new Program('rotateVault', { DATABASE_URL: api.database.url(), ...env });
    return { code: await program.exited, output: program.output };
  };
  const sealedRows = async () => {
    const db = api.database.db();
    const rows = [...(await db.card.findMany()), ...(await db.token.findMany())];
    return rows.flatMap(({ id, merchant_id, number_sealed, cvv2_sealed }): [Purpose, Sealed][] => [
      ...(number_sealed ? [[{ what: 'number', merchant_id, id }, number_sealed] as [Purpose, Sealed]] : []),
      ...(cvv2_sealed ? [[{ what: 'cvv2', merchant_id, id }, cvv2_sealed] as [Purpose, Sealed]] : []),
    ]);
  };

  it('encrypts everything again under the first key; a second run finds nothing to do', async () => {
    const { body: card } = await api.rest('POST', '/cards', { body: visa });
    await api.rest('PUT', `/cards/${card.id}`, { body: { cvv2: canary.cvv2 } });
    await api.rest('POST', '/tokens', { body: visa });
    const deleted = (await api.rest('POST', '/cards', { body: visa })).body.id;
    await api.rest('DELETE', `/cards/${deleted}`);
    const first = await run(both);
    expect([first.code, first.output]).toEqual([0, expect.stringContaining('4 re-encrypted')]);
    const onlyNew = createVaultKeys(parseVaultKeys(newKey), vault.fingerprinting);
    const rows = await sealedRows();
    expect(rows).toHaveLength(4);
    for (const [purpose, sealed] of rows)
      expect([canary.visa, canary.cvv2]).toContain(unseal(onlyNew, sealed, purpose));
    expect((await run(both)).output).toContain('0 re-encrypted');
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
        number_sealed: seal(vault, canary.visa, { what: 'number', merchant_id: card.merchant_id, id }),
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

  it('leaves nothing under an old key; an API with only that key fails without losing data that it cannot decrypt', async () => {
    const keys = createVaultKeys(
      parseVaultKeys(`third:${randomBytes(32).toString('base64')},${both.VAULT_KEYS}`),
      vault.fingerprinting,
    );
    const { body: token } = await api.rest('POST', '/tokens', { body: visa });
    const db = api.database.db();
    const [card] = await db.card.findMany({ where: { status: 'active' } });
    const laterCardId = 'k0000000000000000000';
    let isInserted = false;
    // During the rotation a card appears with an ID that was already passed, like a card that is saved from a token.
    const insertLaterCard = async (column: string): Promise<void> => {
      if (isInserted || column !== 'cards.number_sealed' || !card) return;
      isInserted = true;
      const sealed = {
        number_sealed: seal(vault, canary.visa, { what: 'number', merchant_id: card.merchant_id, id: laterCardId }),
        cvv2_sealed: null,
        cvv2_date: null,
      };
      await db.card.deleteMany({ where: { id: laterCardId } });
      await db.card.create({ data: { ...card, id: laterCardId, address: Prisma.DbNull, ...sealed } });
    };
    await rotate(db, keys, insertLaterCard, new AbortController().signal);
    expect(isInserted).toBe(true);
    const response = await api.rest('POST', '/cards', { body: { token_id: token.id, device_session_id: 'device' } });
    // The API of this test has neither of the new keys, so it can no longer decrypt the token.
    expect(response.status).toBe(500);
    const onlyNew = { ...keys, unsealing: new Map([...keys.unsealing].slice(0, 1)) };
    for (const [purpose, sealed] of await sealedRows())
      expect([canary.visa, canary.cvv2]).toContain(unseal(onlyNew, sealed, purpose));
  });

  it('reports data that cannot be decrypted, continues with the rest, and exits with 1', async () => {
    const db = api.database.db();
    const token = await db.token.findFirst({ where: { number_sealed: { not: null } } });
    await db.token.update({
      where: { id: token?.id ?? '' },
      data: { number_sealed: seal(vault, canary.visa, { what: 'number', merchant_id: 'm', id: 'elsewhere' }) },
    });
    const { code, output } = await run(both);
    expect(code).toBe(1);
    expect(output).toContain(`Not decrypted: tokens.number_sealed of ${token?.id}`);
    expect(output).not.toContain('can be taken out');
  });

  it('refuses a wrong key with the name of a known key', async () => {
    const { code, output } = await run({ ...secrets, VAULT_KEYS: `second:${randomBytes(32).toString('base64')}` });
    expect([code, output.trim()]).toEqual([
      1,
      'VAULT_KEYS: the key second does not match this database: configure the original key.',
    ]);
  });

  it('encrypts the secrets in stored responses again, and ignores similar text of a merchant', async () => {
    const db = api.database.db();
    await db.token.deleteMany();
    await db.card.deleteMany();
    await api.rest('POST', '/cards', { body: visa });
    const headers = { 'idempotency-key': 'kept' };
    const create = () => api.rest('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/' }, headers });
    const { body: hook } = await create();
    await db.webhook.deleteMany({ where: { id: { not: hook.id } } });
    const [stored] = await db.idempotentReply.findMany({ where: { key: 'kept' } });
    const body = (stored?.body ?? '').replace('{', '{"own":"sealed_by_me",');
    await db.idempotentReply.updateMany({ where: { key: 'kept' }, data: { body } });
    expect((await create()).body).toEqual({ own: 'sealed_by_me', ...hook });
    expect((await run(secrets)).output).toContain('0 re-encrypted');
    expect((await run(both)).output).toContain('3 re-encrypted');
    const onlyNew = createVaultKeys(parseVaultKeys(newKey), vault.fingerprinting);
    const [moved] = await db.idempotentReply.findMany({ where: { key: 'kept' } });
    if (!moved) throw new Error('no answer');
    expect(unsealSecrets(onlyNew, moved, moved.body ?? '')).toContain(hook.secret);
    expect(unsealSecrets(onlyNew, { ...moved, merchant_id: 'm2' }, moved.body ?? '')).not.toContain(hook.secret);
  });

  it('covers all encrypted columns of all tables', async () => {
    const db = api.database.db();
    const { body: card } = await api.rest('POST', '/cards', { body: visa });
    await api.rest('PUT', `/cards/${card.id}`, { body: { cvv2: canary.cvv2 } });
    await api.rest('POST', '/tokens', { body: visa });
    const body = { url: 'http://127.0.0.1:9/', user: 'me', password: 'secreto' };
    const { body: hook } = await api.rest('POST', '/webhooks', { body });
    await api.rest('POST', `/webhooks/${hook.id}/rotate_secret`, { body: {} });
    await api.rest('PUT', '', { body: { bank_account: business.bank_account } });
    await requestLive(api.merchants().own.private_key);
    expect((await run(both)).code).toBe(0);
    const prefix = keyPrefix('second');
    const isUnderNewKey = (sealed: Uint8Array) => prefix.equals(sealed.subarray(0, prefix.length));
    const columns = Object.entries(columnTypes).flatMap(([table, types]) =>
      Object.keys(types).flatMap(column => (column.endsWith('_sealed') ? [{ table, column }] : [])),
    );
    expect(columns).toHaveLength(9);
    for (const { table, column } of columns) {
      const rows = await db.$queryRawUnsafe<{ sealed: Uint8Array }[]>(
        `select ${column} as sealed from ${table} where ${column} is not null`,
      );
      expect([table, column, ...new Set(rows.map(({ sealed }) => isUnderNewKey(sealed)))]).toEqual([
        table,
        column,
        true,
      ]);
    }
  });
});
