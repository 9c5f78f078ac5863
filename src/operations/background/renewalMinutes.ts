import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/connection';
import { newId } from '../../platform/identifiers';
import { type MinuteTally, recentRenewals } from './renewalCounts';

const INTERVAL_MS = 2000;

/**
 * Periodically stores this process's renewal counts per minute, because counting charges in the database is expensive
 * under load. Writes are idempotent: each replaces the total. A killed process loses at most two seconds of counts.
 */
export async function runRenewalCountLoop(db: Database, stop: AbortSignal): Promise<void> {
  const process_id = newId('worker');
  const written = new Map<string, number>();
  while (!stop.aborted) {
    await sleep(INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
    const changed = recentRenewals().filter(tally => written.get(keyOf(tally)) !== sumOf(tally));
    if (changed.length === 0) continue;
    const sums = changed.map(tally => [keyOf(tally), sumOf(tally)] as const);
    const isWritten = await write(db, process_id, changed).catch(() => undefined);
    if (isWritten !== undefined) for (const [key, sum] of sums) written.set(key, sum);
    if (written.size > 1000) written.clear();
  }
}

const keyOf = ({ minute, environment }: MinuteTally): string => `${environment} ${minute.getTime()}`;
const sumOf = ({ charged, declined, unanswered }: MinuteTally): number => charged + declined + unanswered;

const write = (db: Database, process_id: string, tallies: readonly MinuteTally[]): Promise<unknown> =>
  db.$transaction(
    tallies.map(({ minute, environment, charged, declined, unanswered }) => {
      const sums = { charged, declined, unanswered };
      const key = { minute, environment, process_id };
      const where = { minute_environment_process_id: key };
      return db.renewalMinute.upsert({ where, create: { ...key, ...sums }, update: sums });
    }),
  );
