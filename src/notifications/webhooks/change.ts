/** Changes a webhook. A new URL is a new receiver: it must be verified before it receives events. */
import type { Prisma } from '../../../prisma/generated/client';
import { auditEntry, changedMembers } from '../../accounts/auditLog/entry';
import { clockOf } from '../../platform/database/clock';
import { lockName, retryOnDeadlock } from '../../platform/database/locks';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { seal } from '../../platform/vault/seal';
import { isBlank } from '../../schema/check';
import type { Context } from '../../schema/operation/context';
import { deleteVerifications, emptyQueue, lockWebhookExclusively } from './deliveries/rows';
import type { UpdateWebhook } from './fields';
import {
  auditedSettings,
  narrowWebhook,
  newVerificationCode,
  rejectUnusable,
  sendToWebhook,
  type WebhookRow,
} from './rows';

export async function changeWebhook(context: Context, webhook: WebhookRow, input: UpdateWebhook): Promise<WebhookRow> {
  if (input.url !== undefined && isBlank(input.url)) throw new ApiError('malformed', 'is_empty', { field: 'url' });
  rejectUnusable(context, input);
  const { db, vault } = context;
  const { id, merchant_id } = webhook;
  const sealPassword = (text: string) => (text ? seal(vault, text, { what: 'password', merchant_id, id }) : null);
  const { user, password, event_types } = input;
  const data = omitUndefined({
    user: user === '' ? null : user,
    password_sealed: password === undefined ? undefined : sealPassword(password),
    event_types: event_types && [...new Set(event_types)],
  });
  const url = input.url === undefined ? webhook.url : new URL(input.url).href;
  if (url !== webhook.url) return moveWebhook(context, webhook, { ...data, url }, password !== undefined);
  return db.$transaction(async tx => {
    const [changed] = await tx.webhook.updateManyAndReturn({ where: { id }, data });
    if (!changed) throw new ApiError('not_found');
    await auditChange(tx, context, webhook, narrowWebhook(changed), password !== undefined);
    return narrowWebhook(changed);
  });
}

async function auditChange(
  tx: Prisma.TransactionClient,
  context: Context,
  before: WebhookRow,
  after: WebhookRow,
  hasNewPassword: boolean,
): Promise<void> {
  const changed = changedMembers(auditedSettings(before), auditedSettings(after));
  const change = {
    before: changed.before,
    after: { ...changed.after, ...(hasNewPassword ? { password: 'changed' } : {}) },
  };
  if (Object.keys(change.after).length === 0) return;
  await tx.auditEntry.create({ data: auditEntry(context, 'webhook.changed', { object_id: after.id, ...change }) });
}

/**
 * Disables the webhook first, so that no delivery is queued or read meanwhile. The delivering process loses its lease, and
 * with it the deliveries that it has read for the old URL. Locks deliveries before the webhook, as recording attempts does.
 */
async function moveWebhook(
  context: Context,
  webhook: WebhookRow,
  data: Prisma.WebhookUpdateInput,
  hasNewPassword: boolean,
): Promise<WebhookRow> {
  const { db, merchant_id } = context;
  const { id } = webhook;
  await db.$transaction([
    lockWebhookExclusively(db, id),
    db.webhook.updateMany({ where: { id }, data: { status: 'disabled' } }),
  ]);
  // In small transactions: an address that was down may have left a long queue behind.
  while ((await retryOnDeadlock(() => emptyQueue(db, id))) > 0);
  const { now } = await clockOf(db, merchant_id, null);
  const verification_code = newVerificationCode();
  const move = async (tx: Prisma.TransactionClient): Promise<WebhookRow> => {
    await lockName(tx, `webhook ${id}`);
    // An answer that the old address still gives to its verification finds nothing to record.
    await deleteVerifications(tx, id);
    await emptyQueue(tx, id);
    const unverified = { status: 'unverified', verification_code, failing_since: null, disabled_reason: null };
    const [moved] = await tx.webhook.updateManyAndReturn({
      where: { id },
      data: { ...data, ...unverified, served_by: null, served_until: null },
    });
    if (!moved) throw new ApiError('not_found');
    const row = narrowWebhook(moved);
    await sendToWebhook(tx, row, 'verification', { verification_code }, now);
    await auditChange(tx, context, webhook, row, hasNewPassword);
    return row;
  };
  return retryOnDeadlock(() => db.$transaction(move));
}
