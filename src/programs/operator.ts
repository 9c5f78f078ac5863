/** `npm run operator -- …`: commands for operators. */
import type { Client } from '@temporalio/client';
import type { Environment } from '../../prisma/generated/enums';
import { AcquirerConnection } from '../gateway/acquirer/connection';
import { embeddedKeySecret, embeddedVariables } from '../local/credentials';
import { embeddedSecrets } from '../local/secrets';
import { readCommandLine, toJson, toText } from '../operations/operators/commandLine';
import { readConfig } from '../platform/config/config';
import { TEMPORAL_VARIABLES, temporalCredentials } from '../platform/config/security/temporalTls';
import { connectOnce, openDatabase } from '../platform/database/connection';
import { ApiError } from '../platform/errors';
import { FatalError, runProgram } from '../platform/lifetime';
import { createLog } from '../platform/log';
import { openTemporal } from '../platform/temporal';
import { programVariables } from './variables';

/** Short, because an operator waits at the terminal. */
const ACQUIRER_TIMEOUT_MS = 5000;

runProgram('operator', async () => {
  const line = readCommandLine(process.argv.slice(2));
  if (typeof line === 'string') return console.info(line);
  const { command, json, ...input } = line;
  const { DATA_DIR } = readConfig(['DATA_DIR']);
  // The embedded credentials belong to the embedded database only.
  const embedded = process.env.DATABASE_URL
    ? {}
    : { ...embeddedVariables(DATA_DIR), ACQUIRER_KEY: embeddedSecrets(DATA_DIR).ACQUIRER_KEY };
  const env = { ...embedded, ...embeddedKeySecret(DATA_DIR), ...process.env };
  const { DATABASE_URL, API_KEY_SECRET: secret } = readConfig(programVariables.operator, env);
  await (await connectOnce(DATABASE_URL)).end();
  const db = openDatabase(DATABASE_URL);
  const parts = { db, secret, temporal: temporalOf(env), acquirers: acquirersOf(env) };
  const result = await command.run({ ...parts, ...input }).catch(error => {
    if (error instanceof ApiError) throw new FatalError(`${error.message}.`);
    throw error.code === 'P2021' ? new FatalError('The database is not migrated. Run npm run migrate first.') : error;
  });
  const answer = toJson(result);
  console.info(json ? JSON.stringify(answer, null, 2) : toText(answer, command));
  await db.$disconnect();
  if (result.isDryRun) throw new FatalError('No changes made. Repeat the command with --yes to apply them.');
});

function temporalOf(env: NodeJS.ProcessEnv): Client | undefined {
  if (!env.TEMPORAL_ADDRESS?.trim()) return undefined;
  const config = readConfig(TEMPORAL_VARIABLES, env);
  return openTemporal(config.TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE, temporalCredentials(config));
}

/** Used for lookups only, never for charges, so the vault keys are not required. */
function acquirersOf(env: NodeJS.ProcessEnv): Partial<Record<Environment, AcquirerConnection>> {
  // Silent: log lines would mix with the command's output, which reports the same errors.
  const log = Object.assign(createLog('operator'), { level: 'silent' });
  const open = (environment: Environment, url: string | undefined, key: string | undefined) =>
    url && key
      ? { [environment]: new AcquirerConnection({ url, key, environment, log, timeoutMs: ACQUIRER_TIMEOUT_MS }) }
      : {};
  const production = readConfig(['PRODUCTION_ACQUIRER_URL', 'PRODUCTION_ACQUIRER_KEY'], env);
  const sandbox = env.ACQUIRER_URL?.trim() ? readConfig(['ACQUIRER_URL', 'ACQUIRER_KEY'], env) : undefined;
  return {
    ...open('sandbox', sandbox?.ACQUIRER_URL, sandbox?.ACQUIRER_KEY),
    ...open('production', production.PRODUCTION_ACQUIRER_URL, production.PRODUCTION_ACQUIRER_KEY),
  };
}
