import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/platform/database/migrations';
import { fromRoot } from '../../../src/platform/root';
import { until } from '../../harness/flow/until';
import { testDatabase } from '../../harness/servers/database';
import { inDatabase } from '../../harness/world/database';

const migrationsDirectory = fromRoot('prisma/migrations');

describe('migrate', () => {
  const database = testDatabase('empty');
  let directory: string;

  const writeMigration = async (name: string, sql: string): Promise<void> => {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, 'migration.sql'), sql);
  };
  const readRecords = () =>
    inDatabase(database.url(), async client => {
      const { rows } = await client.query(
        `select migration_name as name, finished_at is not null as finished, rolled_back_at is not null as rolled_back, logs
         from _prisma_migrations order by started_at`,
      );
      return rows;
    });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recaudo-migrations-'));
    await inDatabase(database.url(), client => client.query('drop schema public cascade; create schema public'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('applies pending migrations once', async () => {
    await cp(migrationsDirectory, directory, { recursive: true });
    await writeMigration('20990101000000_more', 'create table more (id int)');
    expect((await migrate(database.url(), directory)).at(-1)).toBe('20990101000000_more');
    expect(await migrate(database.url(), directory)).toEqual([]);
  });

  it('applies each migration once when ten processes migrate at the same time', async () => {
    await writeMigration('1_slow', 'create table one (id int); select pg_sleep(0.2)');
    await writeMigration('2_next', 'create table two (id int)');
    const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(database.url(), directory)));
    expect(applied.flat().sort()).toEqual(['1_slow', '2_next']);
    expect(await readRecords()).toHaveLength(2);
  });

  it('keeps a table available while it waits for a lock', async () => {
    await writeMigration('1_first', 'create table first (id int)');
    await migrate(database.url(), directory);
    await writeMigration('2_more', 'alter table first add column more int');
    const { ended } = await inDatabase(database.url(), async holder => {
      await holder.query('begin; select from first');
      const ended = migrate(database.url(), directory);
      await inDatabase(database.url(), async other => {
        const isWaiting = async () =>
          (await other.query(`select from pg_locks where relation = 'first'::regclass and not granted`)).rowCount === 1;
        await until(isWaiting);
        expect((await other.query('select from first')).rowCount).toBe(0);
      });
      return { ended };
    });
    expect(await ended).toEqual(['2_more']);
  });

  it('rolls a failed migration back, records the reason, and applies it once its file is fixed', async () => {
    await writeMigration('1_good', 'create table good (id int)');
    await writeMigration('2_bad', 'create table half (id int); select nonsense');
    await expect(migrate(database.url(), directory)).rejects.toThrow(
      'Migration 2_bad failed and was rolled back: column "nonsense" does not exist. Fix it and run it again.',
    );
    expect(await readRecords()).toMatchObject([
      { name: '1_good', finished: true, rolled_back: false },
      { name: '2_bad', finished: false, rolled_back: true, logs: 'column "nonsense" does not exist' },
    ]);
    await writeMigration('2_bad', 'create table half (id int)');
    expect(await migrate(database.url(), directory)).toEqual(['2_bad']);
  });

  it('refuses a migration that was changed after it was applied', async () => {
    await writeMigration('1_first', 'create table first (id int)');
    await migrate(database.url(), directory);
    await writeMigration('1_first', 'create table first (id bigint)');
    await expect(migrate(database.url(), directory)).rejects.toThrow(
      'Migration 1_first was changed after it was applied',
    );
  });

  it('refuses a database that is newer than the program', async () => {
    await writeMigration('1_first', 'create table first (id int)');
    await writeMigration('2_later', 'create table later (id int)');
    await migrate(database.url(), directory);
    await rm(join(directory, '2_later'), { recursive: true });
    await expect(migrate(database.url(), directory)).rejects.toThrow(
      'The database is newer than this program: it has 2_later',
    );
  });

  it('refuses a database of a version before the first migration, and changes nothing', async () => {
    await writeMigration('1_former', 'create table former (id int)');
    await migrate(database.url(), directory);
    await rm(join(directory, '1_former'), { recursive: true });
    await writeMigration('2_baseline', 'create table baseline (id int)');
    await expect(migrate(database.url(), directory)).rejects.toThrow(
      'The database belongs to a version before 1.0.0, which cannot be upgraded: use an empty database.',
    );
    expect(await readRecords()).toMatchObject([{ name: '1_former' }]);
  });

  it('refuses to continue after a migration that another tool left unfinished', async () => {
    await writeMigration('1_first', 'create table first (id int)');
    await migrate(database.url(), directory);
    await inDatabase(database.url(), client => client.query('update _prisma_migrations set finished_at = null'));
    await expect(migrate(database.url(), directory)).rejects.toThrow('Migration 1_first was started by another tool');
  });
});
