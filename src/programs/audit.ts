/** `npm run audit`: reconciles the ledger, settlements and deliveries of a live database with the acquirer's journal. */
import { readFile } from 'node:fs/promises';
import { readHeadLines } from '../accounts/auditLog/batch';
import { embeddedVariables } from '../local/credentials';
import { embeddedSecrets } from '../local/secrets';
import { reconcile, recordReconciliation } from '../operations/reconciliation/reconcile';
import { readConfig } from '../platform/config/config';
import { connectOnce } from '../platform/database/connection';
import { FatalError, runProgram } from '../platform/lifetime';
import { auditingKey } from '../platform/vault/keys';
import { programVariables } from './variables';

const MAX_SHOWN_DIFFERENCES = 20;

runProgram('audit', async () => {
  const { DATA_DIR } = readConfig(['DATA_DIR']);
  const env = { ...embeddedVariables(DATA_DIR), ...embeddedSecrets(DATA_DIR), ...process.env };
  const { DATABASE_URL, ACQUIRER_URL, VAULT_FINGERPRINT_KEY, AUDIT_HEADS_FILE } = readConfig(
    programVariables.audit,
    env,
  );
  // Before the snapshot of the database, which then has all published heads.
  const published = AUDIT_HEADS_FILE === undefined ? undefined : await readHeads(AUDIT_HEADS_FILE);
  const client = await connectOnce(DATABASE_URL);
  const findings = await reconcile(client, ACQUIRER_URL, { key: auditingKey(VAULT_FINGERPRINT_KEY), published });
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

/** Without its heads the comparison would find nothing, so a missing or empty file stops the audit. */
async function readHeads(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(error => {
    throw new FatalError(`AUDIT_HEADS_FILE cannot be read: ${error.message}`);
  });
  if (readHeadLines(text).length === 0) throw new FatalError(`AUDIT_HEADS_FILE contains no heads: ${file}`);
  return text;
}
