import { randomBytes } from 'node:crypto';
import type { Prisma } from '../../../prisma/generated/client';
import type { WebhookModel } from '../../../prisma/generated/models';
import { auditEntry } from '../../accounts/auditLog/entry';
import { insertAudit } from '../../accounts/auditLog/rows';
import { lockMerchant } from '../../accounts/merchants/rows';
import { clockOf } from '../../platform/database/clock';
import { idsOf } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import { isId, newId } from '../../platform/identifiers';
import { addressProblem } from '../../platform/sending/publicAddress';
import { seal } from '../../platform/vault/seal';
import type { Context } from '../../schema/operation/context';
import type { CreateWebhook, UpdateWebhook, Webhook } from './fields';

export type WebhookRow = Omit<WebhookModel, 'status' | 'disabled_reason'> & Pick<Webhook, 'status' | 'disabled_reason'>;

export const narrowWebhook = (row: WebhookModel): WebhookRow => row as WebhookRow;

/** Overlap after a rotation, in which the old secret also signs. */
const SECRET_OVERLAP_MS = 24 * 3_600_000;

/** Limited because each webhook receives a copy of every event. */
const MAX_WEBHOOKS_PER_MERCHANT = 50;

const newSecret = (): string => `whsec_${randomBytes(24).toString('hex')}`;

export const toWebhook = ({
  id,
  url,
  user,
  event_types,
  status,
  creation_date,
  failing_since,
  disabled_reason,
}: WebhookRow): Webhook => ({
  id,
  url,
  user,
  event_types,
  status,
  creation_date,
  failing_since,
  disabled_reason,
});

export async function findWebhook({ db, merchant_id }: Context, id: string): Promise<WebhookRow> {
  const row = isId(id) ? await db.webhook.findUnique({ where: { id, merchant_id } }) : null;
  if (!row) throw new ApiError('not_found');
  return narrowWebhook(row);
}

/** Rejects URLs that must not be called, and credentials that Basic authentication cannot represent. */
export function rejectUnusable({ mayCallPrivateHosts }: Context, { url, user, password }: UpdateWebhook): void {
  const problem = url === undefined ? undefined : addressProblem(url, !mayCallPrivateHosts);
  if (problem) throw new ApiError('invalid_value', problem, { field: 'url' });
  for (const [name, text] of Object.entries({ user, password }))
    if (text !== undefined && /[\p{Cc}]/u.test(text))
      throw new ApiError('invalid_value', 'control_characters', { field: name });
  if (user?.includes(':')) throw new ApiError('invalid_value', 'contains_colon', { field: 'user' });
}

/** The settings in the audit log. */
export const auditedSettings = ({ url, user, event_types }: WebhookRow) => ({ url, user, event_types });

export const VERIFICATION_CODE_PATTERN = '^[0-9a-f]{16}$';
export const newVerificationCode = (): string => randomBytes(8).toString('hex');

/** A retry finds the existing webhook; its secret cannot be returned again, so it gets a new one. */
export async function insertWebhook(
  context: Context,
  input: CreateWebhook,
): Promise<{ row: WebhookRow; secret: string }> {
  const { db, merchant_id, vault } = context;
  const { user, password, event_types = [] } = input;
  rejectUnusable(context, input);
  const id = context.newId('webhook');
  const secret = newSecret();
  const { now } = await clockOf(db, merchant_id, null);
  const secrets = {
    secret_sealed: seal(vault, secret, { what: 'secret', merchant_id, id }),
    password_sealed: password ? seal(vault, password, { what: 'password', merchant_id, id }) : null,
  };
  const row = await db.$transaction(async tx => {
    const existing = await tx.webhook.findUnique({ where: { id, merchant_id } });
    if (existing)
      return narrowWebhook(await tx.webhook.update({ where: { id }, data: { secret_sealed: secrets.secret_sealed } }));
    // One creation at a time, so that each counts those before it.
    await lockMerchant(tx, merchant_id);
    if ((await tx.webhook.count({ where: { merchant_id } })) >= MAX_WEBHOOKS_PER_MERCHANT)
      throw new ApiError('not_allowed', 'too_many_webhooks', { max: MAX_WEBHOOKS_PER_MERCHANT });
    const settings = { url: new URL(input.url).href, user: user || null, event_types: [...new Set(event_types)] };
    const verification_code = newVerificationCode();
    const data = { id, merchant_id, creation_date: now, ...settings, ...secrets, verification_code };
    const created = narrowWebhook(await tx.webhook.create({ data }));
    await sendToWebhook(tx, created, 'verification', { verification_code }, now);
    const after = auditedSettings(created);
    await tx.auditEntry.create({ data: auditEntry(context, 'webhook.created', { object_id: id, after }) });
    return created;
  });
  return { row, secret };
}

/** Creates an event that only this webhook receives. */
export async function sendToWebhook(
  tx: Prisma.TransactionClient,
  { id: webhook_id, merchant_id }: WebhookRow,
  type: 'verification' | 'test',
  object: Prisma.InputJsonObject,
  creation_date: Date,
) {
  await lockWebhook(tx, webhook_id, type);
  const event = await tx.event.create({
    data: { id: newId('event'), merchant_id, type, object_id: webhook_id, object, creation_date },
  });
  await tx.delivery.create({ data: { id: newId('delivery'), webhook_id, event_id: event.id } });
  return event;
}

/**
 * Keeps the webhook from being deleted, or given another URL, until the transaction ends. An unverified webhook receives
 * only its verification.
 */
export async function lockWebhook(tx: Prisma.TransactionClient, id: string, eventType: string): Promise<void> {
  const [row] = await tx.$queryRaw<{ status: string }[]>`select status from webhooks where id = ${id} for key share`;
  if (!row) throw new ApiError('not_found');
  if (row.status === 'disabled' || (row.status !== 'verified' && eventType !== 'verification'))
    throw new ApiError('not_allowed', 'webhook_status', { status: row.status });
}

/** Returns false if the webhook was deleted or has another code. */
export async function markVerified(db: Context['db'], id: string, verification_code: string): Promise<boolean> {
  const data = { status: 'verified', failing_since: null, disabled_reason: null };
  return (await db.webhook.updateMany({ where: { id, verification_code }, data })).count > 0;
}

/** The old secret still signs for a while. One SQL statement, so concurrent rotations are consistent. */
export async function rotateSecret(context: Context, { id, merchant_id }: WebhookRow): Promise<string> {
  const { db, vault } = context;
  const secret = newSecret();
  const audit = auditEntry(context, 'webhook.secret_rotated', { object_id: id });
  const oldUntil = new Date(Date.now() + SECRET_OVERLAP_MS);
  const count = await db.$executeRaw`
    with rotated as (
      update webhooks set secret_old_sealed = secret_sealed, secret_old_until = ${oldUntil},
        secret_sealed = ${seal(vault, secret, { what: 'secret', merchant_id, id })} where id = ${id} returning id
    )
    ${insertAudit([audit], idsOf('rotated'))}`;
  if (count === 0) throw new ApiError('not_found');
  return secret;
}
