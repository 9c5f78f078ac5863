/** The stack of `npm start`, whose parts are killed, and what is asked of it afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../../../src/local/simulator/state';
import { eventually } from '../flow/until';
import { cleanUpAfterAll, LocalInstallation } from '../servers/localInstallation';
import { getUntil, Program } from '../servers/program';
import { testNamespace } from '../servers/temporal';
import { inDatabase } from '../world/database';
import { temporalAddress } from '../world/temporal';

/** Operations that no client repeated, which the recovery finishes. */
export const UNFINISHED = `select id from transactions
  where progress in ('prepared', 'capturing', 'voiding', 'paying', 'sending')`;

/** Call once in a test file. */
export function testStack() {
  cleanUpAfterAll();
  const namespace = testNamespace();
  return async (env: Record<string, string> = {}) => {
    const installation = await LocalInstallation.create();
    const start = async (): Promise<Program> => {
      const program = installation.start({
        TEMPORAL_ADDRESS: temporalAddress(),
        TEMPORAL_NAMESPACE: namespace.name,
        ...env,
      });
      await program.waitForOutput('recaudo is up');
      return program;
    };
    const launcher = await start();
    const credentials = await installation.readJson();
    await getUntil(`${installation.url}/health`, 200);
    const query = <Row extends object>(sql: string): Promise<Row[]> =>
      inDatabase(credentials.database_url, async client => (await client.query<Row>(sql)).rows);
    return {
      installation,
      launcher,
      startAgain: start,
      credentials,
      query,
      untilNone: (sql: string) =>
        eventually(async () => {
          const { length } = await query(sql);
          if (length === 0) return;
          await sleep(500);
          throw new Error(`${length} are left of ${sql}`);
        }, 150),
      expectAgreement: async () => {
        const audit = new Program('audit', { DATA_DIR: installation.dataDir });
        expect([await audit.exited, audit.output]).toEqual([0, expect.stringContaining('Everything agrees.')]);
      },
      /** Of the acquirer. */
      readJournal: async () => {
        const journal: JournalEntry[] = [];
        for (let page: JournalEntry[] = []; ; ) {
          const answer = await fetch(`${credentials.acquirer_url}/journal?limit=1000&after=${journal.length}`);
          page = (await answer.json()) as JournalEntry[];
          journal.push(...page);
          if (page.length < 1000) return journal;
        }
      },
    };
  };
}
