/** `npm run vault:rotate`: re-encrypts every sealed secret with the first of VAULT_KEYS, while the service runs. */
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
  const report = (place: string, done: number): void => console.info(`${place}: ${done} re-encrypted`);
  const { sealed, damaged } = await rotate(db, keys, report, stop);
  for (const place of damaged) console.error(`Not decrypted: ${place}`);
  if (damaged.length > 0)
    throw new FatalError(`${sealed} re-encrypted, ${damaged.length} could not be decrypted. Keep all keys.`);
  console.info(
    stop.aborted
      ? `Stopped after ${sealed} re-encrypted. Run the command again to continue.`
      : `${sealed} re-encrypted. All secrets use the key ${keys.sealing.id}. When no process encrypts with another key, run the command again. Then remove the other keys from VAULT_KEYS.`,
  );
  await db.$disconnect();
});
