/** `npm run audit` finds changes of the audit log by a user with all rights in the database. */
import type { Client } from 'pg';
import { type AuditBatch, headLine } from '../../../src/accounts/auditLog/batch';
import { auditEntry } from '../../../src/accounts/auditLog/entry';
import { sealEntries } from '../../../src/accounts/auditLog/rows';
import { reconcile } from '../../../src/operations/reconciliation/reconcile';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { newId } from '../../../src/platform/identifiers';
import { temporaryFile } from '../../harness/flow/temporaryFile';
import { testApi } from '../../harness/servers/api';
import { Program } from '../../harness/servers/program';
import { inDatabase } from '../../harness/world/database';
import { secrets, vault } from '../../harness/world/secrets';

const api = testApi({ ownWorld: true });
const db = () => api.database.db();
const acquirerUrl = () => api.acquirer.credentials().url;

const write = (merchant_id: string) =>
  db().auditEntry.create({
    data: auditEntry({ actor: { kind: 'system', id: null }, merchant_id }, 'key.changed', { object_id: 'c1' }),
  });
const seal = (date?: Date) => sealEntries(db(), BOTH_ENVIRONMENTS, vault.auditing, date);

/** A chain of four entries in two batches, and the published heads of these. */
async function newChain() {
  while (await seal());
  const chain = newId('merchant');
  const batches: AuditBatch[] = [];
  for (let i = 0; i < 2; i++) {
    await write(chain);
    await write(chain);
    const sealed = await seal();
    if (sealed) batches.push(sealed.batch);
  }
  return { chain, number: batches.at(-1)?.number ?? 0, published: batches.map(headLine).join('\n') };
}

const differencesIn = async (client: Client, published?: string): Promise<string[]> => {
  const findings = await reconcile(client, acquirerUrl(), { key: vault.auditing, published });
  return findings.flatMap(({ differences }) => differences);
};

const numbersOf = async (chain: string) =>
  (await db().auditSeal.findMany({ where: { chain }, orderBy: { number: 'asc' } })).map(({ number }) => Number(number));

const TABLES = ['audit_log', 'audit_seals', 'audit_batches', 'audit_checkpoints'];

/** The differences after these statements, which are undone. Triggers do not run meanwhile. */
const differencesAfter = (statements: string, published?: string): Promise<string[]> =>
  inDatabase(api.database.url(), async client => {
    await client.query('set session_replication_role = replica');
    const { rows } = await client.query(`select pg_get_functiondef('audit_hash'::regproc) as text`);
    for (const table of TABLES) await client.query(`create table saved_${table} as table ${table}`);
    await client.query(statements);
    const differences = await differencesIn(client, published);
    for (const table of TABLES)
      await client.query(`delete from ${table}; insert into ${table} table saved_${table}; drop table saved_${table}`);
    await client.query(rows[0].text);
    return differences;
  });

const deleteFrom = (chain: string, after: number) => `
  delete from audit_log where id in (select entry_id from audit_seals where chain = '${chain}' and number > ${after});
  delete from audit_seals where chain = '${chain}' and number > ${after};`;
const entry = (chain: string, number: number) =>
  `(select entry_id from audit_seals where chain = '${chain}' and number = ${number})`;
const recompute = (chain: string) => `
  do $$ declare place record; previous bytea := ''; begin
    for place in select s.number, l from audit_seals s join audit_log l on l.id = s.entry_id
      where s.chain = '${chain}' order by s.number
    loop
      previous := audit_hash(previous, place.l);
      update audit_seals set hash = previous where chain = '${chain}' and number = place.number;
    end loop;
  end $$;`;
/** Writes the present hashes into the signed heads. */
const rewriteHeads = `update audit_batches set heads = (select jsonb_agg(jsonb_build_array(head -> 0, head -> 1, encode(hash, 'hex')))
  from jsonb_array_elements(heads) as head join audit_seals on chain = head ->> 0 and number = (head ->> 1)::bigint);`;

describe('the hash chain', () => {
  it('has consecutive numbers and signed batches despite concurrent writes and seals', async () => {
    const chain = newId('merchant');
    const results = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? seal() : write(chain))));
    expect(results).toHaveLength(40);
    while (await seal());
    expect(await numbersOf(chain)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(await differencesAfter('')).toEqual([]);
  });

  it('shows entries that were changed or deleted', async () => {
    const { chain } = await newChain();
    const changed = `update audit_log set object_id = 'c2' where id = ${entry(chain, 2)};`;
    const isUnchanged = `create or replace function audit_hash(previous bytea, entry audit_log) returns bytea language sql stable
      as $$ select hash from audit_seals where entry_id = entry.id $$;`;
    expect(await differencesAfter(changed)).toEqual([`${chain} 2 was changed`]);
    const deleted = `delete from audit_log where id = ${entry(chain, 3)};`;
    expect(await differencesAfter(deleted)).toEqual([`${chain} 3 is missing`]);
    const unsealed = `${deleted} delete from audit_seals where chain = '${chain}' and number = 3;`;
    expect(await differencesAfter(unsealed)).toContain(`${chain} has 4 after 2`);
    expect(await differencesAfter(`${isUnchanged} ${changed}`)).toEqual([`${chain} 2 was changed`]);
  });

  it('shows that the newest entries were deleted', async () => {
    const { chain, number, published } = await newChain();
    expect(await differencesAfter(deleteFrom(chain, 2))).toEqual([`${chain} 4 is signed, but missing`]);
    const withBatch = `${deleteFrom(chain, 2)} delete from audit_batches where number = ${number};`;
    expect(await differencesAfter(withBatch)).toEqual([]);
    expect(await differencesAfter(withBatch, published)).toEqual([`head ${number} was published, but is missing`]);
  });

  it('shows that the chain was computed again', async () => {
    const { chain, number, published } = await newChain();
    const changed = `update audit_log set object_id = 'c2' where id = ${entry(chain, 1)}; ${recompute(chain)}`;
    const different = [2, 4].map(place => `${chain} ${place} is signed, but different`);
    expect(await differencesAfter(changed)).toEqual(different);
    expect(await differencesAfter(`${changed} ${rewriteHeads}`)).toEqual(
      [number - 1, number].map(batch => `batch ${batch} has a wrong signature`),
    );
    // The worker would sign what it finds.
    const forged = `${changed} ${rewriteHeads} update audit_batches set signature = reverse(signature) where number = ${number};`;
    expect(await differencesAfter(forged, published)).toContain(`head ${number} was published differently`);
  });

  it('shows that a checkpoint was set', async () => {
    const { chain, number } = await newChain();
    const set = `insert into audit_checkpoints select chain, number, hash, ${number - 1} from audit_seals
      where chain = '${chain}' and number = 2; delete from audit_log where id in (${entry(chain, 1)}, ${entry(chain, 2)});
      delete from audit_seals where chain = '${chain}' and number <= 2;`;
    expect(await differencesAfter(set)).toEqual([`${chain} has an unproven checkpoint at 2`]);
    const backdated = `${set} update audit_batches set date = date - interval '14 months' where number = ${number - 1};`;
    expect(await differencesAfter(backdated)).toContain(`batch ${number - 1} has a wrong signature`);
  });

  it('shows that a whole chain was deleted, or the whole log', async () => {
    const { chain, number, published } = await newChain();
    const all = deleteFrom(chain, 0);
    expect(await differencesAfter(all)).toEqual([2, 4].map(place => `${chain} ${place} is signed, but missing`));
    const withBatches = `${all} delete from audit_batches where number in (${number - 1}, ${number});`;
    expect(await differencesAfter(withBatches, published)).toEqual(
      [number - 1, number].map(batch => `head ${batch} was published, but is missing`),
    );
    const everything = TABLES.map(table => `delete from ${table};`).join('');
    expect(await differencesAfter(everything)).toEqual([]);
    expect(await differencesAfter(everything, published)).toHaveLength(2);
    expect(await differencesAfter(`delete from audit_batches where number < ${number};`)).toContain(
      `batch ${number} does not continue batch 0`,
    );
  });

  it('is compared with AUDIT_HEADS_FILE by npm run audit, which needs no key that decrypts', async () => {
    const { published } = await newChain();
    const audit = async (AUDIT_HEADS_FILE: string) => {
      const { VAULT_FINGERPRINT_KEY } = secrets;
      const ACQUIRER_URL = acquirerUrl();
      const variables = { DATABASE_URL: api.database.url(), ACQUIRER_URL, VAULT_FINGERPRINT_KEY, AUDIT_HEADS_FILE };
      const program = new Program('audit', variables);
      return [await program.exited, program.output];
    };
    const file = (text: string) => temporaryFile('heads.log', text);
    expect(await audit(file(published))).toEqual([0, expect.stringContaining('       2  published heads')]);
    const foreign = published.replace(/ [0-9a-f]{64}$/, ` ${'0'.repeat(64)}`);
    expect(await audit(file(foreign))).toEqual([1, expect.stringContaining('was published differently')]);
    expect(await audit(file(''))).toEqual([1, expect.stringContaining('AUDIT_HEADS_FILE contains no heads')]);
  });

  it('begins at a checkpoint after the sweep deleted entries that were sealed more than 13 months ago', async () => {
    const { published } = await newChain();
    const chain = newId('merchant');
    const old = [await write(chain), await write(chain), await write(chain)].map(({ id }) => id);
    await db().$transaction([
      db().$executeRaw`set local session_replication_role = replica`,
      db().$executeRaw`update audit_log set creation_date = now() - interval '15 months' where id = any(${old})`,
    ]);
    const sweep = () => db().$queryRaw<{ count: number }[]>`select sweep_audit_log() as count`;
    expect(await sweep()).toEqual([{ count: 0 }]);
    await seal(new Date(Date.now() - 14 * 31 * 86_400_000));
    await write(chain);
    await seal();
    expect(await sweep()).toEqual([{ count: 3 }]);
    expect(await numbersOf(chain)).toEqual([4]);
    await write(chain);
    await seal();
    expect(await numbersOf(chain)).toEqual([4, 5]);
    expect(await differencesAfter('', published)).toEqual([]);
    expect(await sweep()).toEqual([{ count: 0 }]);
  });
});
