import { Prisma } from '../../../prisma/generated/client';
import { batchedWrites } from '../database/batch';
import { queryRows } from '../database/connection';

export interface PortionRequest {
  scope: string;
  /** Negative to return tokens. */
  requested: number;
  perSecond: number;
  burst: number;
  coolDownSeconds: number;
}

export interface Portion {
  scope: string;
  granted: number;
  tokens: number;
  /** Time until the next token; 0 if there are tokens. */
  wait_seconds: number;
  /** Whether the cool-down is in effect, and whether this request began it. */
  is_blocked: boolean;
  is_emptied: boolean;
}

/** Takes up to the requested tokens. A bucket is full when first used. Concurrent requests share one SQL statement. */
export const takePortion = batchedWrites(
  (db, requests: readonly PortionRequest[]) =>
    queryRows<Portion>(
      db,
      Prisma.sql`
    with request as (
      select * from unnest(${requests.map(({ scope }) => scope)}::varchar[], ${requests.map(({ requested }) => requested)}::float8[],
        ${requests.map(({ perSecond }) => perSecond)}::float8[], ${requests.map(({ burst }) => burst)}::float8[],
        ${requests.map(({ coolDownSeconds }) => coolDownSeconds)}::float8[])
        as input (scope, requested, per_second, burst, cool_down_seconds)
    ), current as (
      select request.*, tokens, refilled_at, blocked_until, blocked_until > now() as is_blocked, case when blocked_until > now() then 0
        when refilled_at is null then burst
        else least(burst, tokens + extract(epoch from now() - refilled_at)::float8 * per_second) end as available
      from request left join (
        select * from rate_buckets where scope in (select scope from request) order by scope for update) as bucket using (scope)
    ), taken as (
      insert into rate_buckets as bucket (scope, tokens, granted, refilled_at, blocked_until)
      -- A request to a blocked bucket neither takes tokens nor delays its refill.
      select scope, case when is_blocked then tokens - least(requested, 0) else least(burst, available - least(requested, available)) end,
        least(requested, available), case when is_blocked then refilled_at else now() end,
        case when blocked_until > now() then blocked_until
          when available < 1 and requested > 0 and cool_down_seconds > 0 then now() + make_interval(secs => cool_down_seconds) end
      from current order by scope
      -- Another process may have created the bucket meanwhile: take this portion from it too.
      on conflict (scope) do update set tokens = case
          when excluded.scope in (select scope from current where refilled_at is null) then bucket.tokens - excluded.granted
          else excluded.tokens end, granted = excluded.granted,
        refilled_at = excluded.refilled_at, blocked_until = excluded.blocked_until
      returning scope, tokens, granted, blocked_until
    )
    select taken.scope, taken.granted, taken.tokens,
      coalesce(extract(epoch from taken.blocked_until - now())::float8,
        case when taken.tokens < 1 then (1 - taken.tokens) / current.per_second else 0 end) as wait_seconds,
      taken.blocked_until is not null as is_blocked, taken.blocked_until is not null and (current.blocked_until is null or current.blocked_until <= now()) as is_emptied
    from taken join current using (scope)`,
    ),
  ({ scope }) => scope,
  ({ scope }) => scope,
);
