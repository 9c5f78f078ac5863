/** `npm run vault:rotate`: re-encrypts every sealed secret under the first of VAULT_KEYS, while the service runs. */

import { embeddedVariables } from '../local/credentials';
import { embeddedSecrets } from '../local/secrets';
import { readConfig } from '../platform/config/config';
import { connectOnce, openDatabase } from '../platform/database/connection';
import { FatalError, runProgram } from '../platform/lifetime';
import { createVaultKeys } from '../platform/vault/keys';
import { rotate } from '../platform/vault/rotate';
import { verifyVaultKeys } from '../platform/vault/verifyKeys';
import { programVariables } from './variables';

runProgram('vault:rotate', async stop => {
  const { DATA_DIR } = readConfig(['DATA_DIR']);
  const env = { ...embeddedVariables(DATA_DIR), ...embeddedSecrets(DATA_DIR), ...process.env };
  const config = readConfig(programVariables.rotateVault, env);
  await (await connectOnce(config.DATABASE_URL)).end();
  const db = openDatabase(config.DATABASE_URL);
  const keys = createVaultKeys(config.VAULT_KEYS, config.VAULT_FINGERPRINT_KEY);
  await verifyVaultKeys(db, keys);
  const report = (place: string, done: number): void => console.info(`${place}: ${done} sealed anew`);
  const { sealed, damaged } = await rotate(db, keys, report, stop);
  for (const place of damaged) console.error(`Not opened: ${place}`);
  if (damaged.length > 0)
    throw new FatalError(`${sealed} sealed anew, ${damaged.length} could not be opened: keep all keys.`);
  console.info(
    stop.aborted
      ? `Stopped after ${sealed}; run it again to go on.`
      : `${sealed} sealed anew. Everything lies under the key ${keys.sealing.id}. Once no process seals with another, run it again; then the others can be taken out of VAULT_KEYS.`,
  );
  await db.$disconnect();
});
