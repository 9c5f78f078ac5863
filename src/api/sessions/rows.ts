import type { Environment } from '../../../prisma/generated/enums';
import { batched } from '../../platform/database/batch';

interface OriginQuestion {
  environment: Environment;
  origin: string;
}

const keyOf = ({ environment, origin }: OriginQuestion): string => `${environment} ${origin}`;

/** Sessions that have ended count until they are swept: their pages may read that they are refused. */
export const findOrigin = batched(async (db, questions: readonly OriginQuestion[]) => {
  const rows = await db.$queryRaw<OriginQuestion[]>`
      select environment, origin from unnest(${questions.map(({ environment }) => environment)}::text[],
        ${questions.map(({ origin }) => origin)}::text[]) as requested (environment, origin)
      where exists (select from sessions join merchants on merchants.id = sessions.merchant_id
        where origins @> array[requested.origin] and merchants.environment::text = requested.environment)`;
  return rows.map(row => ({ id: keyOf(row) }));
}, keyOf);
