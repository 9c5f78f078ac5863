/**
 * Seals everything anew under the first key while the service is running. What is sealed with it already is skipped, so
 * a rotation can be stopped and started at any time.
 */
import { Prisma } from '../../prisma/generated/client';
import type { Database } from '../database/connection';
import type { VaultKeys } from './keys';
import { keyPrefix, type Purpose, type Sealed, seal } from './seal';
import { unseal } from './unseal';

interface SealedRow {
  id: string;
  sealed: Sealed;
}

const MAX_BATCH_ROWS = 500;

/**
 * Every column that holds something sealed. The first word of its name and the row's id are the purpose that the text
 * is bound to. Tokens come before cards, because saving a token moves its sealed number to a card.
 */
const sealedColumns = [
  ['tokens', 'number_sealed'],
  ['tokens', 'cvv2_sealed'],
  ['cards', 'number_sealed'],
  ['cards', 'cvv2_sealed'],
  ['webhooks', 'secret_old_sealed'],
  ['webhooks', 'secret_sealed'],
  ['webhooks', 'password_sealed'],
] as const;

export interface Rotation {
  sealed: number;
  /** Columns of rows that could not be opened, with the reason. */
  damaged: string[];
}

/**
 * Repeats until a pass finds nothing to do, since other processes seal and move secrets at the same time. Reports every
 * batch.
 */
export async function rotate(
  db: Database,
  keys: VaultKeys,
  reportProgress: (column: string, sealed: number) => unknown,
  stop: AbortSignal,
): Promise<Rotation> {
  const damaged = new Set<string>();
  for (let sealed = 0; ; ) {
    let sealedInPass = 0;
    for (const [table, column] of sealedColumns) {
      const report = (count: number): unknown => reportProgress(`${table}.${column}`, count);
      sealedInPass += await rotateColumn(db, keys, table, column, damaged, report, stop);
    }
    sealed += sealedInPass;
    if (sealedInPass === 0 || stop.aborted) return { sealed, damaged: [...damaged] };
  }
}

async function rotateColumn(
  db: Database,
  keys: VaultKeys,
  table: string,
  column: string,
  damaged: Set<string>,
  report: (sealed: number) => unknown,
  stop: AbortSignal,
): Promise<number> {
  const [tableSql, columnSql] = [Prisma.raw(table), Prisma.raw(column)];
  const currentPrefix = keyPrefix(keys.sealing.id);
  let count = 0;
  for (let lastId = ''; !stop.aborted; ) {
    const rows = await db.$queryRaw<SealedRow[]>`
      select id, ${columnSql} as sealed from ${tableSql}
      where id > ${lastId} and ${columnSql} is not null
        and substring(${columnSql} from 1 for ${currentPrefix.length}) <> ${currentPrefix}
      order by id limit ${MAX_BATCH_ROWS}`;
    if (rows.length === 0) break;
    lastId = rows.at(-1)?.id ?? lastId;
    for (const row of rows) count += await sealAnew(row);
    await report(count);
  }
  return count;

  async function sealAnew({ id, sealed: old }: SealedRow): Promise<number> {
    const purpose = `${column.split('_')[0] as 'number' | 'cvv2' | 'secret' | 'password'} ${id}` satisfies Purpose;
    let resealed: Sealed;
    try {
      resealed = seal(keys, unseal(keys, old, purpose), purpose);
    } catch (error) {
      damaged.add(`${table}.${column} of ${id}: ${(error as Error).message}`);
      return 0;
    }
    // Does not overwrite a number that was destroyed, or a cvv2 that was replaced, since the row was read.
    return db.$executeRaw`update ${tableSql} set ${columnSql} = ${resealed} where id = ${id} and ${columnSql} = ${old}`;
  }
}
