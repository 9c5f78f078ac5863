/** Hourly limits across all processes, counted in the database. */
import type { Prisma } from '../../../prisma/generated/client';
import { ApiError } from '../errors';

interface Quota {
  merchant_id: string;
  name: string;
  problem: `hourly_${'logos' | 'redeliveries' | 'payer_emails' | 'recipient_emails' | 'devices' | 'dry_runs' | 'link_uses'}`;
  max: number;
}

/** Takes the whole amount or throws. Hours are clock hours of the database. */
export async function takeQuota(db: Prisma.TransactionClient, quota: Quota, amount = 1): Promise<void> {
  const { merchant_id, name, problem, max } = quota;
  const [result] = await db.$queryRaw<{ is_taken: boolean; seconds_left: number }[]>`
    with taken as (
      insert into quotas as quota (merchant_id, name, hour, used)
      select ${merchant_id}, ${name}, date_trunc('hour', now(), 'UTC'), ${amount}::integer
      where ${amount}::integer <= ${max}::integer
      on conflict (merchant_id, name) do update set hour = greatest(quota.hour, excluded.hour),
        used = excluded.used + case when quota.hour < excluded.hour then 0 else quota.used end
      where quota.hour < excluded.hour or quota.used + excluded.used <= ${max}::integer
      returning 1
    )
    select exists (select from taken) as is_taken,
      ceil(extract(epoch from date_trunc('hour', now(), 'UTC') + interval '1 hour' - now()))::integer as seconds_left`;
  if (!result?.is_taken) throw new ApiError('too_many', problem, { max, retry_after: result?.seconds_left });
}
