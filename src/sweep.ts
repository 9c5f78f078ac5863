/** What expires, and how it is swept: one line each. The sweep workflow runs them all on its schedule. */
import type { SweepActivities, Swept } from '../workflows/contract';
import type { Database } from './database';

const expired: Record<string, (db: Database, now: Date) => Promise<{ count: number }>> = {
  api_keys: (db, now) => db.apiKey.deleteMany({ where: { expires_at: { lte: now } } }),
  idempotent_replies: (db, now) =>
    db.idempotentReply.deleteMany({ where: { creation_date: { lte: new Date(now.getTime() - 24 * 3_600_000) } } }),
};

export const sweepActivities = (db: Database): SweepActivities => ({
  async sweepExpired(): Promise<Swept> {
    const now = new Date();
    const swept: Swept = {};
    for (const [what, sweep] of Object.entries(expired)) swept[what] = (await sweep(db, now)).count;
    return swept;
  },
});
