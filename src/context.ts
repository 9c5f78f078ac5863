import type { Client } from '@temporalio/client';
import type { Environment, KeyKind } from '../prisma/generated/enums';
import type { Acquirer } from './acquirer/port';
import type { Database } from './database/connection';
import type { VaultKeys } from './vault/keys';

/** What every operation knows of the request it serves. */
export interface Context {
  db: Database;
  merchant_id: string;
  environment: Environment;
  key: KeyKind;
  request_id: string;
  vault: VaultKeys;
  acquirer: Acquirer;
  temporal: Client;
  /** Where payers find our pages. */
  publicUrl: string;
  /** A new identifier; the same one again when a request with an Idempotency-Key is repeated. */
  newId: typeof import('./platform/identifiers').newId;
}
