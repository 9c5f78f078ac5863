/** `npm run audit`: reconciles the ledger, settlements and deliveries of a live database with the acquirer's journal. */
import { embeddedVariables } from '../local/credentials';
import { reconcile, recordReconciliation } from '../operations/reconciliation/reconcile';
import { readConfig } from '../platform/config/config';
import { connectOnce } from '../platform/database/connection';
import { FatalError, runProgram } from '../platform/lifetime';
import { programVariables } from './variables';

const MAX_SHOWN_DIFFERENCES = 20;

runProgram('audit', async () => {
  const { DATA_DIR } = readConfig(['DATA_DIR']);
  const env = { ...embeddedVariables(DATA_DIR), ...process.env };
  const { DATABASE_URL, ACQUIRER_URL } = readConfig(programVariables.audit, env);
  const client = await connectOnce(DATABASE_URL);
  const findings = await reconcile(client, ACQUIRER_URL);
  // Storing fails on a read-only replica; the findings are still printed.
  await recordReconciliation(client, findings).catch(({ message }) =>
    console.error(`The result could not be stored: ${message}.`),
  );
  await client.end();
  for (const { title, count, differences } of findings) {
    console.info(`${differences.length === 0 ? 'ok  ' : 'DIFF'} ${String(count).padStart(8)}  ${title}`);
    for (const difference of differences.slice(0, MAX_SHOWN_DIFFERENCES)) console.info(`              ${difference}`);
    if (differences.length > MAX_SHOWN_DIFFERENCES)
      console.info(`              and ${differences.length - MAX_SHOWN_DIFFERENCES} more`);
  }
  const total = findings.reduce((sum, { differences }) => sum + differences.length, 0);
  if (total > 0) throw new FatalError(`Found ${total} differences.`);
  console.info('No differences found.');
});
