/** `npm run audit`: checks the ledger and the deliveries of a live database, and that it agrees with the acquirer's journal. */

import { embeddedVariables } from '../local/credentials';
import { audit, recordAudit } from '../operations/reconciliation/audit';
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
  const findings = await audit(client, ACQUIRER_URL);
  // A copy that is only read can be audited too.
  await recordAudit(client, findings).catch(({ message }) => console.error(`The result is not stored: ${message}.`));
  await client.end();
  for (const { title, count, differences } of findings) {
    console.info(`${differences.length === 0 ? 'ok  ' : 'DIFF'} ${String(count).padStart(8)}  ${title}`);
    for (const difference of differences.slice(0, MAX_SHOWN_DIFFERENCES)) console.info(`              ${difference}`);
    if (differences.length > MAX_SHOWN_DIFFERENCES)
      console.info(`              and ${differences.length - MAX_SHOWN_DIFFERENCES} more`);
  }
  const total = findings.reduce((sum, { differences }) => sum + differences.length, 0);
  if (total > 0) throw new FatalError(`${total} differences.`);
  console.info('Everything agrees.');
});
