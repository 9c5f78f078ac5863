import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import { NEW_LEASE, TRANSACTION_COLUMNS, type TransactionRow } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import { type Environments, merchantsOf, whereEnvironmentIn } from '../../platform/database/environments';
import { insertOutbox, type OutboxKind } from '../../platform/database/outbox';
import { idInQuery, idsOf } from '../../platform/database/rows';
import { LEASED_PROGRESS } from '../acquirerOperations';

type OutboxRow = { id: bigint; kind: OutboxKind; object_id: string };

/** The kinds that have due rows, by one index lookup each. */
export async function findDueKinds(
  db: Database,
  kinds: readonly string[],
  environments: Environments,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ kind: string }[]>`
    select distinct due.kind
    from (select kind, environment
      from unnest(${kinds}::varchar[]) as kind, unnest(${environments}::"Environment"[]) as environment) as due
    where (
      select true from outbox o where o.environment = due.environment and o.kind = due.kind and o.again_at <= now()
      order by again_at limit 1
    )`;
  return rows.map(({ kind }) => kind);
}

/** Leases due rows to this process, each row to one process at a time. */
export async function claimRows(
  db: Database,
  kinds: readonly string[],
  { maxBatchRows, leaseSeconds }: { maxBatchRows: number; leaseSeconds: number },
  environments: Environments,
): Promise<OutboxRow[]> {
  const due = Prisma.sql`
    select id from outbox where ${whereEnvironmentIn(environments)} and kind in (${Prisma.join(kinds)}) and again_at <= now()
    order by turn, again_at, id limit ${maxBatchRows} for update skip locked`;
  const rows = await db.$queryRaw<OutboxRow[]>`
    update outbox set again_at = now() + make_interval(secs => ${leaseSeconds}) where id ${idInQuery(due)}
    returning id, kind, object_id`;
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const postpone = (db: Database, ids: bigint[], maxBackoffSeconds: number): Promise<number> => db.$executeRaw`
  update outbox set tries = tries + 1,
    again_at = now() + make_interval(secs => least(2 ^ least(tries, 12), ${maxBackoffSeconds}))
  where id = any(${ids})`;

/** Due immediately, by the database's clock. */
export const queueExpiry = (db: Database, id: string): Promise<number> =>
  db.$executeRaw(insertOutbox('expiry', Prisma.sql`select id, merchant_id from transactions where id = ${id}`));

type AbandonedTransaction = TransactionRow & { environment: Environment };

/** Leases abandoned transactions, longest expired first. Skips rows that another process is leasing. */
export const claimAbandoned = (
  db: Database,
  environments: Environments,
  limit: number,
): Promise<AbandonedTransaction[]> =>
  db.$queryRaw<AbandonedTransaction[]>`
    with abandoned as (
      select id from transactions
      where progress in (${Prisma.raw(LEASED_PROGRESS)}) and lease_until < now()
        and merchant_id in (${merchantsOf(environments)})
      order by lease_until limit ${limit} for update skip locked
    ), claimed as (
      update transactions set lease_until = ${NEW_LEASE}
      where id ${idInQuery(idsOf('abandoned'))}
      returning ${TRANSACTION_COLUMNS}
    )
    select claimed.*, merchants.environment::text as environment
    from claimed join merchants on merchants.id = claimed.merchant_id`;

const isOf = (environments: Environments): Prisma.Sql => Prisma.sql`merchant_id in (${merchantsOf(environments)})`;

/** Deletes the usage of deleted keys and sessions. */
export const deleteKeyUses = (db: Database): Promise<number> => db.$executeRaw`
  delete from key_uses where not exists (select from api_keys where id = key_id)
    and not exists (select from operator_keys where id = key_id)
    and not exists (select from sessions where id = key_id)`;

/** Deletes all but the latest result of each check. */
export const deleteAudits = (db: Database, before: Date): Promise<number> => db.$executeRaw`
  delete from audits a where ended_at < ${before} and exists (
    select from audits newer where newer.scope = a.scope and newer.name = a.name and newer.id > a.id)`;

/** Requests of operators have no merchant. */
export const deleteReplies = (
  db: Database,
  before: Date,
  environments: Environments,
  limit: number,
): Promise<number> => db.$executeRaw`
  delete from idempotent_replies where ctid = any(array(
    select ctid from idempotent_replies
    where creation_date <= ${before} and (${isOf(environments)} or merchant_id = '') limit ${limit}))`;

export const deleteDevices = (
  db: Database,
  before: Date,
  environments: Environments,
  limit: number,
): Promise<number> => db.$executeRaw`
  delete from device_sessions where ctid = any(array(
    select ctid from device_sessions where creation_date < ${before} and ${isOf(environments)} limit ${limit}))`;

export const deleteDeliveries = (
  db: Database,
  before: Date,
  environments: Environments,
): Promise<number> => db.$executeRaw`
  delete from deliveries where id in (
    select id from deliveries where creation_date < ${before}
      and webhook_id in (select id from webhooks where ${isOf(environments)})
    limit 1000 for update skip locked)`;

/** Skips tokens whose transaction is not finished. */
export const emptyTokens = (
  db: Database,
  usedBefore: Date,
  environments: Environments,
): Promise<number> => db.$executeRaw`
  update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null
  where used_at <= ${usedBefore} and number_sealed is not null and ${isOf(environments)}
    and not exists (select from transactions t where t.id = tokens.used_by and t.progress <> 'settled')`;

export const queueLostExpiries = (db: Database, environments: Environments): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      'expiry',
      Prisma.sql`select id, merchant_id from transactions where progress in ('authorized', 'pending') and transaction_type = 'charge'
        and ${isOf(environments)}
        and expires_at < now() + make_interval(secs => clock_offset_of(merchant_id, customer_id)) - interval '1 hour'`,
    ),
  );

export const queueLostPayouts = (db: Database, environments: Environments): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      'payout',
      Prisma.sql`select id, merchant_id from transactions where progress = 'sending' and ${isOf(environments)}
        and creation_date < now() + make_interval(secs => clock_offset) - interval '10 minutes'`,
    ),
  );

export const queueLostDeliveries = (db: Database, environments: Environments): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      'delivery',
      Prisma.sql`select d.id, w.merchant_id from deliveries d join webhooks w on w.id = d.webhook_id
        where d.next_at < now() - interval '10 minutes' and w.merchant_id in (${merchantsOf(environments)}) and (w.status = 'disabled' or not exists (
          select from delivery_queue q where q.webhook_id = d.webhook_id and q.sequence = d.sequence))`,
    ),
  );

export const queueLostSettlements = (db: Database, environments: Environments): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      'settlement',
      Prisma.sql`select id, environment from settlement_reports where status in ('receiving', 'matching')
        and ${whereEnvironmentIn(environments)} and received_at < now() - interval '1 hour'`,
      { environment: Prisma.sql`object.environment` },
    ),
  );

export async function sweepAuditLog(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`select sweep_audit_log() as count`;
  return row?.count ?? 0;
}
