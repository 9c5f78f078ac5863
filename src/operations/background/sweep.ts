/** Periodic maintenance: deletes expired rows, restarts lost workflows, updates balance snapshots. */
import type { Client } from '@temporalio/client';
import { Prisma } from '../../../prisma/generated/client';
import { type SweepActivities, type SweepCounts, TASK_QUEUE } from '../../../workflows/contract';
import { repairSubscriptions } from '../../billing/subscriptions/billing/repair';
import { snapshotBalances } from '../../ledger/balances';
import { matchFoundItems } from '../../payments/settlements/matchAgain';
import { tokenExpiryCutoff } from '../../payments/tokens/rows';
import type { Database } from '../../platform/database/connection';
import { BOTH_ENVIRONMENTS, type Environments, isIn, merchantsOf } from '../../platform/database/environments';
import { insertOutbox } from '../../platform/database/outbox';
import { moveMisplacedWorkflows } from './misplacedWorkflows';

/** Requests of operators have no merchant. */
const OPERATORS = '';
const MAX_CVV2_DAYS = 90;
const MAX_DEVICE_DAYS = 90;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000);
const monthsBefore = (now: Date, months: number): Date => {
  const at = new Date(now);
  at.setUTCMonth(at.getUTCMonth() - months);
  return at;
};

/** Small batches keep locks short. */
async function inBatches(sweepBatch: () => Promise<number>): Promise<{ count: number }> {
  let count = 0;
  for (let swept = await sweepBatch(); swept > 0; swept = await sweepBatch()) count += swept;
  return { count };
}

const inScope = (environments: Environments): Prisma.Sql => Prisma.sql`merchant_id in (${merchantsOf(environments)})`;

const deleteBatch = (db: Database, table: string, condition: Prisma.Sql) => () =>
  db.$executeRaw`
  delete from ${Prisma.raw(table)} where ctid = any(array(
    select ctid from ${Prisma.raw(table)} where ${condition} limit 5000))`;

interface SweepScope {
  temporal: Client;
  environments: Environments;
  taskQueue: string;
}

const merchantScope = ({ environments }: SweepScope) => ({ merchant: { environment: { in: [...environments] } } });

const sweepers: Record<string, (db: Database, now: Date, scope: SweepScope) => Promise<{ count: number }>> = {
  api_keys: (db, now, scope) => db.apiKey.deleteMany({ where: { expires_at: { lte: now }, ...merchantScope(scope) } }),
  key_uses: async db => ({
    count: await db.$executeRaw`delete from key_uses where not exists (select from api_keys where id = key_id)
      and not exists (select from operator_keys where id = key_id)
      and not exists (select from sessions where id = key_id)`,
  }),
  // Kept for a day after expiry: they are still listed, and their error messages still name the reason.
  sessions: (db, now, scope) =>
    db.session.deleteMany({ where: { expires_at: { lte: daysBefore(now, 1) }, ...merchantScope(scope) } }),
  sign_in_codes: (db, now, scope) =>
    db.signInCode.deleteMany({ where: { expires_at: { lte: now }, ...merchantScope(scope) } }),
  // Dead workers stay listed for a day.
  workers: (db, now) => db.workerProcess.deleteMany({ where: { beat_at: { lte: daysBefore(now, 1) } } }),
  renewal_minutes: (db, now) => db.renewalMinute.deleteMany({ where: { minute: { lte: daysBefore(now, 1) } } }),
  // The latest result of each invariant is kept.
  audits: async (db, now) => ({
    count: await db.$executeRaw`delete from audits a where ended_at < ${daysBefore(now, 30)} and exists (
      select from audits newer where newer.scope = a.scope and newer.name = a.name and newer.id > a.id)`,
  }),
  // Unused logos are kept for a while, because sent e-mails link to them.
  logos: async (db, now) => ({
    count: await db.$executeRaw`delete from logos where creation_date < ${daysBefore(now, 90)}
      and not exists (select from merchants where logo = logos.name)`,
  }),
  idempotent_replies: (db, now, { environments }) => {
    const isInScope = Prisma.sql`(${inScope(environments)} or merchant_id = ${OPERATORS})`;
    const isOld = Prisma.sql`creation_date <= ${daysBefore(now, 1)}`;
    return inBatches(deleteBatch(db, 'idempotent_replies', Prisma.sql`${isOld} and ${isInScope}`));
  },
  traces: (db, now) => inBatches(deleteBatch(db, 'traces', Prisma.sql`creation_date <= ${daysBefore(now, 1)}`)),
  rate_buckets: (db, now) =>
    inBatches(deleteBatch(db, 'rate_buckets', Prisma.sql`refilled_at <= ${daysBefore(now, 1)}`)),
  quotas: (db, now) => db.quota.deleteMany({ where: { hour: { lte: new Date(now.getTime() - 2 * 3_600_000) } } }),
  fraud_counters: (db, now) => inBatches(deleteBatch(db, 'fraud_counters', Prisma.sql`expires_at <= ${now}`)),
  device_sessions: (db, now, { environments }) => {
    const isOld = Prisma.sql`creation_date < ${daysBefore(now, MAX_DEVICE_DAYS)}`;
    return inBatches(deleteBatch(db, 'device_sessions', Prisma.sql`${isOld} and ${inScope(environments)}`));
  },
  tokens: (db, now, { environments }) => {
    const isOld = Prisma.sql`creation_date <= ${tokenExpiryCutoff(now)}`;
    return inBatches(deleteBatch(db, 'tokens', Prisma.sql`${isOld} and ${inScope(environments)}`));
  },
  // Card data of tokens whose process died before the acquirer answered.
  token_secrets: async (db, now, { environments }) => ({
    count: await db.$executeRaw`
      update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null
      where used_at <= ${new Date(now.getTime() - 3_600_000)} and number_sealed is not null and ${inScope(environments)}
        and not exists (select from transactions t where t.id = tokens.used_by and t.progress <> 'settled')`,
  }),
  // Restarts lost expiry workflows.
  lost_expiries: async (db, _, { environments }) => ({
    count: await db.$executeRaw(
      insertOutbox(
        'expiry',
        Prisma.sql`select id, merchant_id from transactions where progress in ('authorized', 'pending') and transaction_type = 'charge'
          and merchant_id in (${merchantsOf(environments)})
          and expires_at < now() + make_interval(secs => clock_offset_of(merchant_id, customer_id)) - interval '1 hour'`,
      ),
    ),
  }),
  // Restarts lost payout workflows.
  lost_payouts: async (db, _, { environments }) => ({
    count: await db.$executeRaw(
      insertOutbox(
        'payout',
        Prisma.sql`select id, merchant_id from transactions where progress = 'sending' and merchant_id in (${merchantsOf(environments)})
          and creation_date < now() + make_interval(secs => clock_offset) - interval '10 minutes'`,
      ),
    ),
  }),
  events: (db, now, { environments }) => {
    const isOld = Prisma.sql`recorded_at < ${monthsBefore(now, 13)}`;
    return inBatches(deleteBatch(db, 'events', Prisma.sql`${isOld} and ${inScope(environments)}`));
  },
  deliveries: (db, now, { environments }) =>
    inBatches(
      () => db.$executeRaw`
    delete from deliveries where id in (
      select id from deliveries where creation_date < ${daysBefore(now, 30)}
        and webhook_id in (select id from webhooks where merchant_id in (${merchantsOf(environments)}))
      limit 1000 for update skip locked)`,
    ),
  // Restarts lost delivery workflows. A queued delivery needs a workflow only if its webhook is disabled, because no
  // attempt is made then.
  lost_deliveries: async (db, _, { environments }) => ({
    count: await db.$executeRaw(
      insertOutbox(
        'delivery',
        Prisma.sql`select d.id, w.merchant_id from deliveries d join webhooks w on w.id = d.webhook_id
          where d.next_at < now() - interval '10 minutes' and w.merchant_id in (${merchantsOf(environments)}) and (w.status = 'disabled' or not exists (
            select from delivery_queue q where q.webhook_id = d.webhook_id and q.sequence = d.sequence))`,
      ),
    ),
  }),
  // Restarts lost settlement workflows.
  lost_settlements: async (db, _, { environments }) => ({
    count: await db.$executeRaw(
      insertOutbox(
        'settlement',
        Prisma.sql`select id, environment from settlement_reports where status in ('receiving', 'matching')
          and ${isIn(environments)} and received_at < now() - interval '1 hour'`,
        { environment: Prisma.sql`object.environment` },
      ),
    ),
  }),
  found_settlement_items: (db, _, { environments }) => matchFoundItems(db, environments),
  lost_subscriptions: (db, _, { temporal, environments }) => repairSubscriptions(db, temporal, environments),
  misplaced_workflows: (db, _, { temporal, environments, taskQueue }) =>
    moveMisplacedWorkflows(db, temporal, environments, taskQueue),
  audit_log: async db => {
    const [row] = await db.$queryRaw<{ count: number }[]>`select sweep_audit_log() as count`;
    return { count: row?.count ?? 0 };
  },
  // Covers both environments.
  balances: snapshotBalances,
  // CVV2s stored for the next charge, if no charge followed.
  card_cvv2s: (db, now, scope) =>
    db.card.updateMany({
      where: { cvv2_date: { lte: daysBefore(now, MAX_CVV2_DAYS) }, ...merchantScope(scope) },
      data: { cvv2_sealed: null, cvv2_date: null },
    }),
};

export const sweepActivities = (
  db: Database,
  temporal: Client,
  environments = BOTH_ENVIRONMENTS,
  taskQueue = TASK_QUEUE,
): SweepActivities => ({
  async sweepExpired(): Promise<SweepCounts> {
    const now = new Date();
    const swept: SweepCounts = {};
    const failures: unknown[] = [];
    for (const [name, sweep] of Object.entries(sweepers)) {
      await sweep(db, now, { temporal, environments, taskQueue }).then(
        ({ count }) => {
          swept[name] = count;
        },
        failure => failures.push(failure),
      );
    }
    // Thrown last, so that a failure does not skip other sweepers.
    if (failures.length > 0) throw failures[0];
    return swept;
  },
});
