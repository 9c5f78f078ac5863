import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../database/connection';
import type { Sealed } from './seal';
import type { AnsweredRequest } from './storedSecrets';

export interface SealedRow {
  id: string;
  merchant_id: string;
  sealed: Sealed;
}

const MAX_BATCH_ROWS = 500;

type StoredAnswer = AnsweredRequest & { body: string };

/** The next ones that another key has sealed. */
export const readSealed = (
  db: Database,
  table: string,
  column: string,
  currentPrefix: Buffer,
  after: string,
): Promise<SealedRow[]> => {
  const sealed = Prisma.raw(column);
  return db.$queryRaw`
    select id, merchant_id, ${sealed} as sealed from ${Prisma.raw(table)}
    where id > ${after} and ${sealed} is not null
      and substring(${sealed} from 1 for ${currentPrefix.length}) <> ${currentPrefix}
    order by id limit ${MAX_BATCH_ROWS}`;
};

export const replaceSealed = (
  db: Database,
  table: string,
  column: string,
  { id, old, resealed }: { id: string; old: Sealed; resealed: Sealed },
): Promise<number> => {
  const sealed = Prisma.raw(column);
  return db.$executeRaw`
    update ${Prisma.raw(table)} set ${sealed} = ${resealed} where id = ${id} and ${sealed} = ${old}`;
};

export const readSealedAnswers = (db: Database, last: AnsweredRequest): Promise<StoredAnswer[]> => db.$queryRaw`
  select merchant_id, method, path, key, body from idempotent_replies
  where (merchant_id, method, path, key) > (${last.merchant_id}, ${last.method}, ${last.path}, ${last.key})
    and strpos(body, 'sealed_') > 0
  order by merchant_id, method, path, key limit ${MAX_BATCH_ROWS}`;
