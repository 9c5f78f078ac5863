/**
 * The audit log: who did what to what. An entry is written in the statement or database transaction of its cause, so
 * that neither is there without the other.
 */
import type { Prisma } from '../../../prisma/generated/client';
import type { Actor, Context } from '../../schema/operation/context';
import type { AuditAction } from './actions';

export interface NewAuditEntry {
  merchant_id: string | null;
  actor: Actor['kind'];
  actor_id: string | null;
  action: AuditAction;
  object_id: string | null;
  address: string | null;
  request_id: string | null;
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
}

interface AuditedChange {
  object_id?: string | null;
  /** The changed values, without secrets. */
  before?: Prisma.InputJsonObject | undefined;
  after?: Prisma.InputJsonObject | undefined;
}

/** The actor, its address and its request. */
export type AuditOrigin = Pick<Context, 'actor'> & Partial<Pick<Context, 'address' | 'request_id' | 'merchant_id'>>;

/** `about` differs from the merchant of the request if an operator acts on a merchant. */
export const auditEntry = (
  { actor, address, request_id, merchant_id }: AuditOrigin,
  action: AuditAction,
  { object_id = null, before, after }: AuditedChange = {},
  about: string | null = merchant_id || null,
): NewAuditEntry => ({
  merchant_id: about,
  actor: actor.kind,
  actor_id: actor.id,
  action,
  object_id,
  address: address ?? null,
  request_id: request_id ?? null,
  ...(before && { before }),
  ...(after && { after }),
});

/** Only those members that differ. */
export function changedMembers<T extends Record<string, unknown>>(before: T, after: T): Required<AuditedMembers> {
  const names = Object.keys(after).filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (row: T) => Object.fromEntries(names.map(name => [name, row[name] ?? null])) as Prisma.InputJsonObject;
  return { before: pick(before), after: pick(after) };
}

type AuditedMembers = Pick<AuditedChange, 'before' | 'after'>;
