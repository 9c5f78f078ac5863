/** Schedules the changes of subscribers to the successor of their plan. */
import type { ReplacementActivities, ReplacementStep } from '../../../workflows/contract';
import { auditEntry } from '../../accounts/auditLog/entry';
import type { Database } from '../../platform/database/connection';
import type { Actor } from '../../schema/operation/context';
import { planById, termsOf } from '../plans/rows';
import { applyEvent } from '../subscriptions/billing/applyEvent';
import { writeChange } from '../subscriptions/billing/rows';
import { clockNow, stateOf, subscriptionById } from '../subscriptions/rows';
import type { PlanTerms } from '../subscriptions/rules/prices';
import { refusedChange } from '../subscriptions/rules/requests';
import { isRepeated } from '../subscriptions/update';
import { auditedTerms } from '../subscriptions/writeUpdate';
import type { SkipReason } from './fields';
import {
  findReplacement,
  finishReplacement,
  type HandledItem,
  isEarlierSuccessor,
  type ReplacementRow,
  readPending,
  settleItems,
} from './rows';

/** At most 50 per second, so that the renewals of a worker are not delayed. */
const MAX_BATCH_ITEMS = 25;
const WAIT_MS = 500;

export const replacementActivities = (db: Database): ReplacementActivities => ({
  async scheduleNextChanges(id: string): Promise<ReplacementStep> {
    const row = await findReplacement(db, id);
    if (row?.status !== 'running') return { over: row?.status ?? 'unknown' };
    const successor = await planById(db, row.successor_id);
    if (!successor) throw new Error(`plan replacement: plan ${row.successor_id} not found`);
    const items = await readPending(db, id, MAX_BATCH_ITEMS);
    const terms = termsOf(successor);
    await settleItems(
      db,
      id,
      await Promise.all(items.map(({ subscription_id }) => scheduleChange(db, row, terms, subscription_id))),
    );
    const { done = 0, skipped = 0, total = 0 } = (await findReplacement(db, id)) ?? {};
    if (done + skipped < total) return { waitMs: WAIT_MS, handled: done + skipped, total };
    await finishReplacement(db, id);
    return { over: 'done' };
  },
});

/**
 * The history of the subscription has the ID of the replacement, so after a crash it is not changed again. It needs no
 * nudge: its workflow wakes for the next period in any case.
 */
async function scheduleChange(
  db: Database,
  { id, plan_id, actor, actor_id }: ReplacementRow,
  terms: PlanTerms,
  subscription_id: string,
): Promise<HandledItem> {
  const handled = (reason: SkipReason | null | undefined): HandledItem => ({ subscription_id, reason });
  const row = await subscriptionById(db, subscription_id);
  // Its first charge was declined.
  if (!row) return handled('cancelled');
  if (row.status === 'new') return handled(undefined);
  if (await isRepeated({ db }, row, id)) return handled(null);
  if (row.status === 'cancelled') return handled('cancelled');
  const pending = row.pending_change?.terms.plan_id;
  const isPlanned = pending === plan_id || (pending !== undefined && (await isEarlierSuccessor(db, plan_id, pending)));
  if (row.plan_id !== plan_id && !isPlanned) return handled('other_plan');
  if (pending !== undefined && !isPlanned) return handled('other_change_planned');
  const planned = { terms, quantity: row.pending_change?.quantity ?? row.quantity };
  const at = clockNow(row);
  const refused = refusedChange(stateOf(row), { planned }, at);
  if (refused === 'change_while_unpaid') return handled('unpaid');
  if (refused === 'amount_too_large') return handled(refused);
  if (refused) return handled(undefined);
  const by = { actor: { kind: actor as Actor['kind'], id: actor_id } };
  const after = { planned: auditedTerms(planned), plan_replacement_id: id };
  const audit = auditEntry(by, 'subscription.changed', { object_id: row.id, after }, row.merchant_id);
  const change = applyEvent(row, { type: 'change', at, planned }, { request: id, audit });
  return handled((await writeChange(db, change)) ? null : undefined);
}
