import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { unpaidPeriods } from './checks';

/** The differences, as sentences. */
export async function readUnpaid(db: Database, ids: string[]): Promise<string[]> {
  const [beforeIds = '', afterIds = ''] = unpaidPeriods('s.id = any($1)').split('$1');
  const unpaid = await db.$queryRaw<{ difference: string }[]>`
    ${Prisma.raw(beforeIds)}${ids}::varchar[]${Prisma.raw(afterIds)}
    union all
    select s.id || ' is ' || s.status || ', and has no attempt in period ' || s.current_period_number from subscriptions s
    where s.id = any(${ids}::varchar[]) and s.status in ('past_due', 'unpaid') and not exists (
      select from transactions where subscription_id = s.id and period = s.current_period_number)`;
  return unpaid.map(({ difference }) => difference);
}
