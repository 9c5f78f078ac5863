/**
 * Operator requests from the Temporal UI, as activities, and of bulk actions. They follow the rules of the API and write
 * an audit log entry with the change; its request_id makes a repeated request idempotent.
 */
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { OperatorRequest, OperatorRequestName } from '../../../../workflows/operating/requests';
import type { OperatorActivities, SubscriptionSnapshot } from '../../../../workflows/subscriptionContract';
import { type AuditOrigin, auditEntry } from '../../../accounts/auditLog/entry';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import type { Actor } from '../../../schema/operation/context';
import { isTimestamp, readTimestamp } from '../../../schema/time';
import { findHoldable, findTarget, holdBilling, releaseBilling } from '../../holds/hold';
import { INVISIBLE_SNAPSHOT, snapshotOf } from '../billing/snapshot';
import { declinesOf } from '../lines/rows';
import { findVisible, type SubscriptionRow } from '../rows';
import { cancelSubscription, requestRetry } from '../update';
import { findRequester } from './findRequester';
import { makeLookupDue, rejectBeingProcessed } from './rows';

type RequestTerms = Pick<OperatorRequest, 'request_id' | 'reason' | 'until'>;

/** Throws an ApiError whose message is shown to the operator. */
type OperatorAction = (db: Database, row: SubscriptionRow, by: AuditOrigin, request: RequestTerms) => Promise<void>;

export function operatorActivities(db: Database, temporal: Client): OperatorActivities {
  const activity =
    (name: OperatorRequestName) =>
    async (id: string, request: OperatorRequest): Promise<SubscriptionSnapshot> => {
      const row = await findVisible(db, id);
      if (!row) return INVISIBLE_SNAPSHOT;
      await performOperatorRequest(db, row, name, request, () => findRequester(temporal, id, request)).catch(refuse);
      const after = await findVisible(db, id);
      return after ? snapshotOf(after, undefined, await declinesOf(db, after)) : INVISIBLE_SNAPSHOT;
    };
  return {
    cancelByOperator: activity('cancel'),
    hold: activity('hold'),
    release: activity('release'),
    retryNow: activity('retryNow'),
    askAcquirerNow: activity('askAcquirerNow'),
  };
}

/** Changes the row once for each `request_id`, and nudges the workflow. Throws an ApiError for a refusal. */
export async function performOperatorRequest(
  db: Database,
  row: SubscriptionRow,
  name: OperatorRequestName,
  request: RequestTerms,
  findActor: () => Promise<Actor>,
): Promise<void> {
  const { id: object_id, merchant_id } = row;
  const { request_id } = request;
  if (await db.auditEntry.findFirst({ where: { object_id, request_id } })) return;
  await ACTIONS[name](db, row, { actor: await findActor(), merchant_id, request_id }, request);
}

/** Refusals are not retried; other errors are. */
function refuse(error: unknown): never {
  throw error instanceof ApiError ? ApplicationFailure.nonRetryable(error.message, 'refused') : error;
}

const cancelNow: OperatorAction = async (db, { id }, by, { reason }) => {
  const isDone = await cancelSubscription(db, id, 'cancelled_by_operator', by, reason);
  if (!isDone) throw new ApiError('not_allowed', 'subscription_cancelled');
};

const hold: OperatorAction = async (db, { id }, by, { reason, until: text }) => {
  const until = text === undefined ? undefined : (isTimestamp(text) && readTimestamp(text)) || null;
  if (until === null) throw new ApiError('invalid_value', 'not_time', { field: 'until' });
  await holdBilling(db, by, await findHoldable(db, id), { reason, until });
};

const release: OperatorAction = async (db, { id }, by, { reason }) => {
  await releaseBilling(db, by, await findTarget(db, id), { reason });
};

const retryNow: OperatorAction = async (db, row, by, { request_id, reason }) => {
  if (row.suspension !== null) throw new ApiError('not_allowed', 'resume_merchant_first');
  await requestRetry({ db, ...by }, row, request_id, reason);
};

const askAcquirerNow: OperatorAction = async (db, row, by, { reason }) => {
  const { id, merchant_id, open } = row;
  if (!open || (open.payment && open.tries === 0)) throw new ApiError('not_allowed', 'no_open_attempt');
  rejectBeingProcessed(row);
  const { transaction_id } = open;
  await db.$transaction(async tx => {
    if (!(await makeLookupDue(tx, row, transaction_id))) throw new ApiError('not_allowed', 'changed_meanwhile');
    const after = { reason, transaction_id };
    await tx.auditEntry.create({ data: auditEntry(by, 'acquirer.asked', { object_id: id, after }, merchant_id) });
  });
};

const ACTIONS: Readonly<Record<OperatorRequestName, OperatorAction>> = {
  cancel: cancelNow,
  hold,
  release,
  retryNow,
  askAcquirerNow,
};
