/** Seals everything anew under the first key, while the service runs. What is done is skipped, so it can be stopped and started at any time. */
import { Prisma } from '../../prisma/generated/client';
import type { Database } from '../database';
import type { VaultKeys } from './keys';
import { open } from './open';
import { keyMark, type Purpose, type Sealed, seal } from './seal';

interface Row {
  id: string;
  sealed: Sealed;
}

const BATCH = 500;

/** Every column that holds something sealed; the first word of its name is what its text is bound to, with the row's id. */
const places = [
  ['cards', 'number_sealed'],
  ['cards', 'cvv2_sealed'],
  ['tokens', 'number_sealed'],
  ['tokens', 'cvv2_sealed'],
] as const;

/** Tells after every batch how many of a place are done. */
export async function rotate(
  db: Database,
  keys: VaultKeys,
  tell: (place: string, done: number) => void,
  stop: AbortSignal,
): Promise<number> {
  let total = 0;
  const mark = keyMark(keys.sealing.id);
  for (const [table, column] of places) {
    const [from, sealed] = [Prisma.raw(table), Prisma.raw(column)];
    let done = 0;
    for (let last = ''; !stop.aborted; ) {
      const rows = await db.$queryRaw<Row[]>`
        select id, ${sealed} as sealed from ${from}
        where id > ${last} and ${sealed} is not null and substring(${sealed} from 1 for ${mark.length}) <> ${mark}
        order by id limit ${BATCH}`;
      if (rows.length === 0) break;
      last = rows.at(-1)?.id ?? last;
      for (const row of rows) done += await sealAnew(row);
      tell(`${table}.${column}`, done);
    }
    total += done;

    async function sealAnew({ id, sealed: old }: Row): Promise<number> {
      const purpose = `${column.split('_')[0] as 'number' | 'cvv2'} ${id}` satisfies Purpose;
      const fresh = seal(keys, open(keys, old, purpose), purpose);
      // A number that was destroyed, or a cvv2 that was replaced meanwhile, stays so.
      return db.$executeRaw`update ${from} set ${sealed} = ${fresh} where id = ${id} and ${sealed} = ${old}`;
    }
  }
  return total;
}
