/**
 * Seals everything anew under the first key while the service is running. Anything that is already sealed under it is
 * skipped, so a rotation can be stopped and started at any time.
 */
import type { Database } from '../database/connection';
import type { VaultKeys } from './keys';
import { readSealed, readSealedAnswers, replaceSealed, type SealedRow } from './rows';
import { keyPrefix, type Purpose, type Sealed, seal } from './seal';
import { type AnsweredRequest, resealSecrets } from './storedSecrets';
import { unseal } from './unseal';

/**
 * Every column that holds something sealed, and what it is. Tokens come before cards, because saving a token moves its
 * sealed number to a card.
 */
const sealedColumns = [
  ['tokens', 'number_sealed', 'number'],
  ['tokens', 'cvv2_sealed', 'cvv2'],
  ['cards', 'number_sealed', 'number'],
  ['cards', 'cvv2_sealed', 'cvv2'],
  ['webhooks', 'secret_old_sealed', 'secret'],
  ['webhooks', 'secret_sealed', 'secret'],
  ['webhooks', 'password_sealed', 'password'],
  ['live_requests', 'account_sealed', 'account'],
  ['bank_accounts', 'number_sealed', 'account'],
] as const;

export interface Rotation {
  sealed: number;
  /** Columns of rows that could not be opened, with the reason. */
  damaged: string[];
}

/** Repeats until a pass finds no work, because other processes seal and move secrets meanwhile. */
export async function rotate(
  db: Database,
  keys: VaultKeys,
  reportProgress: (column: string, sealed: number) => unknown,
  stop: AbortSignal,
): Promise<Rotation> {
  const damaged = new Set<string>();
  for (let sealed = 0; ; ) {
    let sealedInPass = 0;
    for (const place of sealedColumns) {
      const report = (count: number): unknown => reportProgress(`${place[0]}.${place[1]}`, count);
      sealedInPass += await rotateColumn(db, keys, place, damaged, report, stop);
    }
    const reportAnswers = (count: number): unknown => reportProgress('idempotent_replies.body', count);
    sealedInPass += await rotateAnswers(db, keys, reportAnswers, stop);
    sealed += sealedInPass;
    if (sealedInPass === 0 || stop.aborted) return { sealed, damaged: [...damaged] };
  }
}

async function rotateColumn(
  db: Database,
  keys: VaultKeys,
  [table, column, what]: readonly [table: string, column: string, what: Purpose['what']],
  damaged: Set<string>,
  report: (sealed: number) => unknown,
  stop: AbortSignal,
): Promise<number> {
  const currentPrefix = keyPrefix(keys.sealing.id);
  let count = 0;
  for (let lastId = ''; !stop.aborted; ) {
    const rows = await readSealed(db, table, column, currentPrefix, lastId);
    if (rows.length === 0) break;
    lastId = rows.at(-1)?.id ?? lastId;
    for (const row of rows) count += await sealAnew(row);
    await report(count);
  }
  return count;

  async function sealAnew({ id, merchant_id, sealed: old }: SealedRow): Promise<number> {
    const purpose = { what, merchant_id, id };
    let resealed: Sealed;
    try {
      resealed = seal(keys, unseal(keys, old, purpose), purpose);
    } catch (error) {
      damaged.add(`${table}.${column} of ${id}: ${(error as Error).message}`);
      return 0;
    }
    // Does not overwrite a number that was destroyed, or a cvv2 that was replaced, since the row was read.
    return replaceSealed(db, table, column, { id, old, resealed });
  }
}

/** The secrets within stored answers to requests. */
async function rotateAnswers(
  db: Database,
  keys: VaultKeys,
  report: (sealed: number) => unknown,
  stop: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let last: AnsweredRequest = { merchant_id: '', method: '', path: '', key: '' }; !stop.aborted; ) {
    const rows = await readSealedAnswers(db, last);
    if (rows.length === 0) break;
    last = rows.at(-1) ?? last;
    const before = count;
    for (const { body: old, ...request } of rows) {
      const body = resealSecrets(keys, request, old);
      if (body === old) continue;
      count += (await db.idempotentReply.updateMany({ where: { ...request, body: old }, data: { body } })).count;
    }
    if (count > before) await report(count);
  }
  return count;
}
