import { Prisma } from '../../prisma/generated/client';
import { MAX_ANSWER_BYTES } from './boundedList';
import { createdWithin, type Filters } from './list';

/**
 * The same for lists within records, which are read for many owners at once: the rows of a query up to the bound, for
 * each merchant, and the first one of each owner in any case. The query has the columns `merchant_id`, `owner` and
 * `bytes`.
 */
export const boundedRows = (query: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select * from (
    select *, sum(bytes) over (partition by merchant_id) > ${MAX_ANSWER_BYTES} as is_cut,
      sum(bytes) over (partition by merchant_id order by owner, id) as bytes_so_far,
      row_number() over (partition by owner order by id) as place
    from (${query}) as found) as bounded
  where bytes_so_far <= ${MAX_ANSWER_BYTES} or place = 1`;

/** The shared filters as SQL conditions. */
export function createdConditions(filters: Filters): Prisma.Sql[] {
  const { gte, lt } = createdWithin(filters) ?? {};
  return [...(gte ? [Prisma.sql`creation_date >= ${gte}`] : []), ...(lt ? [Prisma.sql`creation_date < ${lt}`] : [])];
}
