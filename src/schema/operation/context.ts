import type { Client } from '@temporalio/client';
import type { Environment, KeyKind } from '../../../prisma/generated/enums';
import type { AcquirerConnection } from '../../gateway/acquirer/connection';
import type { Acquirer } from '../../gateway/acquirer/port';
import type { DeclineLimits } from '../../gateway/declines';
import type { FraudScreening } from '../../gateway/fraud/screening';
import type { Database } from '../../platform/database/connection';
import type { newId } from '../../platform/identifiers';
import type { VaultKeys } from '../../platform/vault/keys';

/** Each role includes the rights of the previous ones. */
export const OPERATOR_ROLES = ['read', 'support', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface KeyRights {
  /** Read-only, except for the mutations in the scope of a session. */
  isReadOnly: boolean;
  /** A suspended merchant may not move money. */
  isSuspended: boolean;
  /** The role of an operator. */
  role: OperatorRole | undefined;
  /** Rights of a browser session. */
  session?: SessionRights | undefined;
}

/** The scope of a session with all rights of its key except managing keys and sessions. */
export const SCOPE_ALL = 'all';
export const SCOPE_READ = 'read';

export interface SessionRights {
  /** Names of mutations, or a word for all or none. */
  scope: readonly string[];
  /** Limits the session to one customer; null for all customers of the merchant. */
  customer_id: string | null;
  /** Null without a cookie; `repeated` if the private key was given again while another session was open. */
  sign_in: string | null;
  creation_date: Date;
}

/** The credential of a request. */
export type CallerKind = KeyKind | 'operator' | 'session';

/** The actor in the audit log. */
export interface Actor {
  kind: 'key' | 'session' | 'operator' | 'temporal' | 'payer' | 'system';
  /** The ID of a key or session, or the identity of a Temporal UI user. */
  id: string | null;
}

/** The request's merchant and the services that operations use. */
export interface Context {
  db: Database;
  /** Empty in requests of operators. */
  merchant_id: string;
  environment: Environment;
  keyKind: CallerKind;
  rights: KeyRights;
  actor: Actor;
  request_id: string;
  vault: VaultKeys;
  /** The secret that hashes API keys. */
  keySecret: string;
  acquirer: Acquirer;
  declines: DeclineLimits;
  fraud: FraudScreening;
  /** The IP address of the client. */
  address: string;
  acceptLanguage: string | undefined;
  /** Releases this request's work slot during external I/O. */
  yieldSlotWhile<T>(io: () => Promise<T>): Promise<T>;
  temporal: Client;
  /** The address of the Temporal UI, for links of operators. */
  temporalUiUrl: string | undefined;
  /** Connections to the acquirers of the environments that this process serves, for lookups of operators. */
  acquirers: Partial<Record<Environment, AcquirerConnection>>;
  /** The public origin of the payment pages. */
  publicUrl: string;
  /** Whether webhooks may use private networks and plain http: only in development, in the sandbox. */
  mayCallPrivateHosts: boolean;
  /** Hours until a changed bank account replaces the present one. */
  bankAccountWaitHours: number;
  /** Generates an identifier; a repeated request with the same Idempotency-Key gets the same ones again. */
  newId: typeof newId;
}
