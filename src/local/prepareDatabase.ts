/** Migrates the database of `npm start`, and creates its sandbox merchant and first operator. */
import { openAccount } from '../accounts/merchants/accounts';
import { hashKey } from '../accounts/merchants/keys';
import { createSignInCode } from '../accounts/sessions/signInCodes';
import { createFirstOperator } from '../operations/operators/keys';
import { repairAfterRestore } from '../platform/database/afterRestore';
import { openDatabase, UnreachableDatabaseError } from '../platform/database/connection';
import { migrate } from '../platform/database/migrations';
import type { Log } from '../platform/log';
import { fromRoot } from '../platform/root';
import { SIGN_IN_LINKS } from './banner';
import type { Credentials } from './credentials';
import { retryWhile } from './processes/managedProcess';

const CONNECTION_TIMEOUT_MS = 60_000;

interface Preparation {
  credentials: Pick<Credentials, 'database_url' | 'merchant_id' | 'private_key' | 'public_key' | 'operator_key'>;
  secret: string;
  stop: AbortSignal;
  /** Limits the wait for a connection. */
  timeoutMs?: number | undefined;
}

/** Waits as long as the server needs on a busy machine. */
export const prepareEmbeddedDatabase = (preparation: Preparation, log: Log): Promise<string[]> =>
  retryWhile(
    error => !preparation.stop.aborted && isTimeout(error),
    () => prepareDatabase({ ...preparation, timeoutMs: CONNECTION_TIMEOUT_MS }),
    (seconds, problem) => log.warn(`database: not ready after ${seconds} s, still waiting${problem}`),
  );

const isTimeout = (error: Error): boolean =>
  error instanceof UnreachableDatabaseError || /timeout|timed out|given time|terminated/i.test(error.message);

/** Can be repeated. Returns sign-in codes of the merchant, or none if its key was revoked. */
export async function prepareDatabase({ credentials, secret, stop, timeoutMs }: Preparation): Promise<string[]> {
  const { database_url, merchant_id: id, operator_key, ...keys } = credentials;
  await migrate(database_url, fromRoot('prisma/migrations'), { stop, timeoutMs });
  await repairAfterRestore(database_url, timeoutMs);
  const names = { name: 'Sandbox', email: 'sandbox@example.com', phone: '6010000000' };
  const merchant = { id, environment: 'sandbox', ...names } as const;
  const by = { actor: { kind: 'system', id: 'npm start' } } as const;
  const db = openDatabase(database_url);
  try {
    await openAccount(db, merchant, keys, secret, by);
    await createFirstOperator(db, by, operator_key, secret);
    const key = await db.apiKey.findUnique({ where: { hash: hashKey(keys.private_key, secret) } });
    const codes: string[] = [];
    for (let i = 0; key && i < SIGN_IN_LINKS; i++)
      codes.push(await createSignInCode(db, secret, { merchant_id: id, key_id: key.id }));
    return codes;
  } finally {
    await db.$disconnect();
  }
}
