/** Periodic maintenance: deletes expired rows, restarts lost workflows, updates balance snapshots. */
import type { Client } from '@temporalio/client';
import { dayOf } from '../../../workflows/calendar';
import { type SweepActivities, type SweepCounts, TASK_QUEUE } from '../../../workflows/contract';
import { queueLostReplacements } from '../../billing/planReplacements/rows';
import { repairSubscriptions } from '../../billing/subscriptions/billing/maintenance/repair';
import { snapshotBalances } from '../../ledger/rows';
import { FORMER_EMAIL_DAYS } from '../../notifications/email/bankAccountMail';
import { queueReminders } from '../../notifications/email/payer/rows';
import { matchChangedReports } from '../../payments/settlements/matchChangedReports';
import { tokenExpiryCutoff } from '../../payments/tokens/rows';
import type { Database } from '../../platform/database/connection';
import { BOTH_ENVIRONMENTS, type Environments } from '../../platform/database/environments';
import { moveMisplacedWorkflows } from './misplacedWorkflows';
import {
  deleteAudits,
  deleteDeliveries,
  deleteDevices,
  deleteKeyUses,
  deleteReplies,
  emptyTokens,
  queueLostDeliveries,
  queueLostExpiries,
  queueLostPayouts,
  queueLostSettlements,
  sweepAuditLog,
} from './rows';

const MAX_DEVICE_DAYS = 90;

const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
const daysBefore = (now: Date, days: number): Date => hoursBefore(now, days * 24);
const monthsBefore = (now: Date, months: number): Date => {
  const at = new Date(now);
  at.setUTCMonth(at.getUTCMonth() - months);
  return at;
};

/** In batches, so that no statement holds its locks for long. */
const MAX_BATCH_ROWS = 5000;
async function inBatches(sweepBatch: () => Promise<{ count: number }>): Promise<{ count: number }> {
  let count = 0;
  for (let swept = await sweepBatch(); swept.count > 0; swept = await sweepBatch()) count += swept.count;
  return { count };
}

interface SweepScope {
  temporal: Client;
  environments: Environments;
  taskQueue: string;
}

const merchantScope = ({ environments }: SweepScope) => ({ merchant: { environment: { in: [...environments] } } });

const sweepers: Record<string, (db: Database, now: Date, scope: SweepScope) => Promise<{ count: number }>> = {
  api_keys: (db, now, scope) => db.apiKey.deleteMany({ where: { expires_at: { lte: now }, ...merchantScope(scope) } }),
  key_uses: async db => ({ count: await deleteKeyUses(db) }),
  // Kept for a day after expiry: they are still listed, and their error messages still name the reason.
  sessions: (db, now, scope) =>
    db.session.deleteMany({ where: { expires_at: { lte: daysBefore(now, 1) }, ...merchantScope(scope) } }),
  ended_operator_sessions: (db, now) => db.endedOperatorSession.deleteMany({ where: { expires_at: { lte: now } } }),
  sign_in_codes: (db, now, scope) =>
    db.signInCode.deleteMany({ where: { expires_at: { lte: now }, ...merchantScope(scope) } }),
  former_emails: (db, now, scope) =>
    db.formerEmail.deleteMany({
      where: { replaced_at: { lte: daysBefore(now, FORMER_EMAIL_DAYS) }, ...merchantScope(scope) },
    }),
  // Dead workers stay listed for a day.
  workers: (db, now) => db.workerProcess.deleteMany({ where: { beat_at: { lte: daysBefore(now, 1) } } }),
  collection_emails: (db, now) => db.collectionEmail.deleteMany({ where: { day: { lt: dayOf(+daysBefore(now, 7)) } } }),
  renewal_minutes: (db, now) => db.renewalMinute.deleteMany({ where: { minute: { lte: daysBefore(now, 1) } } }),
  // The latest result of each check is kept.
  audits: async (db, now) => ({ count: await deleteAudits(db, daysBefore(now, 30)) }),
  // Unused logos. E-mails refer to them for some time.
  logos: (db, now) =>
    db.logo.deleteMany({ where: { creation_date: { lt: daysBefore(now, 90) }, merchants: { none: {} } } }),
  idempotent_replies: (db, now, { environments }) =>
    inBatches(async () => ({ count: await deleteReplies(db, daysBefore(now, 1), environments, MAX_BATCH_ROWS) })),
  traces: (db, now) => {
    const where = { creation_date: { lte: daysBefore(now, 1) } };
    return inBatches(() => db.trace.deleteMany({ where, limit: MAX_BATCH_ROWS }));
  },
  rate_buckets: (db, now) => {
    const where = { refilled_at: { lte: daysBefore(now, 1) } };
    return inBatches(() => db.rateBucket.deleteMany({ where, limit: MAX_BATCH_ROWS }));
  },
  quotas: (db, now) => db.quota.deleteMany({ where: { hour: { lte: hoursBefore(now, 2) } } }),
  fraud_counters: (db, now) =>
    inBatches(() => db.fraudCounter.deleteMany({ where: { expires_at: { lte: now } }, limit: MAX_BATCH_ROWS })),
  device_sessions: (db, now, { environments }) => {
    const before = daysBefore(now, MAX_DEVICE_DAYS);
    return inBatches(async () => ({ count: await deleteDevices(db, before, environments, MAX_BATCH_ROWS) }));
  },
  tokens: (db, now, scope) => {
    const where = { creation_date: { lte: tokenExpiryCutoff(now) }, ...merchantScope(scope) };
    return inBatches(() => db.token.deleteMany({ where, limit: MAX_BATCH_ROWS }));
  },
  // Card data of tokens whose process died before the acquirer answered.
  token_secrets: async (db, now, { environments }) => ({
    count: await emptyTokens(db, hoursBefore(now, 1), environments),
  }),
  // Restarts lost expiry workflows.
  lost_expiries: async (db, _, { environments }) => ({ count: await queueLostExpiries(db, environments) }),
  // Restarts lost payout workflows.
  lost_payouts: async (db, _, { environments }) => ({ count: await queueLostPayouts(db, environments) }),
  events: (db, now, scope) => {
    const where = { recorded_at: { lt: monthsBefore(now, 13) }, ...merchantScope(scope) };
    return inBatches(() => db.event.deleteMany({ where, limit: MAX_BATCH_ROWS }));
  },
  deliveries: (db, now, { environments }) =>
    inBatches(async () => ({ count: await deleteDeliveries(db, daysBefore(now, 30), environments) })),
  // Restarts lost delivery workflows. A queued delivery needs none until its attempt has ended, unless its webhook is
  // disabled.
  lost_deliveries: async (db, _, { environments }) => ({ count: await queueLostDeliveries(db, environments) }),
  // Restarts lost workflows of plan replacements.
  lost_plan_replacements: async (db, _, { environments }) => ({ count: await queueLostReplacements(db, environments) }),
  // Reminders by test clocks are queued when the clock moves.
  reminders: async (db, _, { environments }) => ({ count: await queueReminders(db, environments) }),
  // Longer than a cause can be repeated.
  sent_emails: (db, now) => {
    const where = { creation_date: { lt: monthsBefore(now, 13) } };
    return inBatches(() => db.sentEmail.deleteMany({ where, limit: MAX_BATCH_ROWS }));
  },
  // Restarts lost settlement workflows.
  lost_settlements: async (db, _, { environments }) => ({ count: await queueLostSettlements(db, environments) }),
  found_settlement_items: (db, _, { environments }) => matchChangedReports(db, environments),
  lost_subscriptions: (db, _, { temporal, environments }) => repairSubscriptions(db, temporal, environments),
  misplaced_workflows: (db, _, { temporal, environments, taskQueue }) =>
    moveMisplacedWorkflows(db, temporal, environments, taskQueue),
  audit_log: async db => ({ count: await sweepAuditLog(db) }),
  // Covers both environments: every process computes the same sums.
  balances: snapshotBalances,
  // CVV2s stored for the next charge, if no charge followed.
  card_cvv2s: (db, now, scope) =>
    db.card.updateMany({
      where: { cvv2_date: { lte: hoursBefore(now, 1) }, ...merchantScope(scope) },
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
