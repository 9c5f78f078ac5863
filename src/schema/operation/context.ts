import type { Client } from '@temporalio/client';
import type { Environment, KeyKind } from '../../../prisma/generated/enums';
import type { Acquirer } from '../../gateway/acquirer/port';
import type { DeclineLimits } from '../../gateway/declines';
import type { FraudScreening } from '../../gateway/fraud/screening';
import type { Database } from '../../platform/database/connection';
import type { newId } from '../../platform/identifiers';
import type { VaultKeys } from '../../platform/vault/keys';

/** Each may do what those before it may. */
export const OPERATOR_ROLES = ['read', 'support', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface KeyRights {
  /** Whether it may only read and, if it is a session, call the mutations that its scope names. */
  isReadOnly: boolean;
  /** Whether the merchant may not move money. */
  isSuspended: boolean;
  /** Of an operator. */
  role: OperatorRole | undefined;
  /** Of a session in a browser. */
  session?: SessionRights | undefined;
}

/** In the scope of a session: whatever its key may do, but keys and sessions. */
export const SCOPE_ALL = 'all';

export interface SessionRights {
  /** Names of mutations, or a word that stands for all or none. */
  scope: readonly string[];
  /** Whose things it is for; null: all of the merchant's. */
  customer_id: string | null;
}

/** What a request came with. */
export type CallerKind = KeyKind | 'operator' | 'session';

/** Who is named in the audit log. */
export interface Actor {
  kind: 'key' | 'session' | 'operator' | 'temporal' | 'payer' | 'system';
  /** The id of a key or a session, or what is known of somebody in the Temporal UI. */
  id: string | null;
}

/** What every operation gets: the authenticated merchant of the request and the services it works with. */
export interface Context {
  db: Database;
  /** Empty in a request of an operator. */
  merchant_id: string;
  environment: Environment;
  keyKind: CallerKind;
  /** What the key may do. */
  rights: KeyRights;
  actor: Actor;
  request_id: string;
  vault: VaultKeys;
  /** With which API keys are hashed. */
  keySecret: string;
  acquirer: Acquirer;
  declines: DeclineLimits;
  /** Asks the merchant's own rules. */
  fraud: FraudScreening;
  /** Of whoever sent the request. */
  address: string;
  /** The header of that name. */
  acceptLanguage: string | undefined;
  /** Runs what waits for somebody else, and lets another request work meanwhile. */
  yieldSlotWhile<T>(wait: () => Promise<T>): Promise<T>;
  temporal: Client;
  /** The origin of the payment pages, as payers' browsers reach it. */
  publicUrl: string;
  /** Whether webhooks may be within private networks and without https: only while developing, in the sandbox. */
  mayCallPrivateHosts: boolean;
  /** Generates an identifier; a repeated request with the same Idempotency-Key gets the same ones again. */
  newId: typeof newId;
}
