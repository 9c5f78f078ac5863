/** Seals everything anew under the first key, while the service runs. What is done is skipped, so it can be stopped and started at any time. */
import { Prisma } from '../../prisma/generated/client';
import type { Database } from '../database/connection';
import type { VaultKeys } from './keys';
import { open } from './open';
import { keyMark, type Purpose, type Sealed, seal } from './seal';

interface SealedRow {
  id: string;
  sealed: Sealed;
}

const MAX_BATCH_ROWS = 500;

/**
 * Every column that holds something sealed; the first word of its name is what its text is bound to, with the row's id. Tokens come
 * first: the sealed number of one that is saved moves on to a card.
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
  /** What could not be opened. */
  damaged: string[];
}

/** Goes over everything until nothing is left to do, since others seal and move meanwhile. Tells after every batch. */
export async function rotate(
  db: Database,
  keys: VaultKeys,
  tell: (place: string, done: number) => unknown,
  stop: AbortSignal,
): Promise<Rotation> {
  const damaged = new Set<string>();
  for (let sealed = 0; ; ) {
    let inThisPass = 0;
    for (const [table, column] of sealedColumns) {
      inThisPass += await rotatePlace(db, keys, table, column, damaged, done => tell(`${table}.${column}`, done), stop);
    }
    sealed += inThisPass;
    if (inThisPass === 0 || stop.aborted) return { sealed, damaged: [...damaged] };
  }
}

async function rotatePlace(
  db: Database,
  keys: VaultKeys,
  table: string,
  column: string,
  damaged: Set<string>,
  tell: (done: number) => unknown,
  stop: AbortSignal,
): Promise<number> {
  const [from, sealed] = [Prisma.raw(table), Prisma.raw(column)];
  const mark = keyMark(keys.sealing.id);
  let done = 0;
  for (let last = ''; !stop.aborted; ) {
    const rows = await db.$queryRaw<SealedRow[]>`
      select id, ${sealed} as sealed from ${from}
      where id > ${last} and ${sealed} is not null and substring(${sealed} from 1 for ${mark.length}) <> ${mark}
      order by id limit ${MAX_BATCH_ROWS}`;
    if (rows.length === 0) break;
    last = rows.at(-1)?.id ?? last;
    for (const row of rows) done += await sealAnew(row);
    await tell(done);
  }
  return done;

  async function sealAnew({ id, sealed: old }: SealedRow): Promise<number> {
    const purpose = `${column.split('_')[0] as 'number' | 'cvv2' | 'secret' | 'password'} ${id}` satisfies Purpose;
    let fresh: Sealed;
    try {
      fresh = seal(keys, open(keys, old, purpose), purpose);
    } catch (error) {
      damaged.add(`${table}.${column} of ${id}: ${(error as Error).message}`);
      return 0;
    }
    // A number that was destroyed, or a cvv2 that was replaced meanwhile, stays so.
    return db.$executeRaw`update ${from} set ${sealed} = ${fresh} where id = ${id} and ${sealed} = ${old}`;
  }
}
