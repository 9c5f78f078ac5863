/** `npm run vault:rotate`: seals every card number anew under the first of VAULT_KEYS. The service goes on meanwhile. */
import { readConfig } from './config';
import { connectOnce, openDatabase } from './database';
import { embeddedVariables } from './embedded/credentials';
import { embeddedSecrets } from './embedded/secrets';
import { Refusal, run } from './lifetime';
import { vaultKeys } from './vault/keys';
import { rotate } from './vault/rotate';

run('vault:rotate', async stop => {
  const { DATA_DIR } = readConfig(['DATA_DIR']);
  const env = { ...embeddedVariables(DATA_DIR), ...embeddedSecrets(DATA_DIR), ...process.env };
  const config = readConfig(['NODE_ENV', 'DATABASE_URL', 'VAULT_KEYS', 'VAULT_FINGERPRINT_KEY'], env);
  await (await connectOnce(config.DATABASE_URL)).end();
  const db = openDatabase(config.DATABASE_URL);
  const keys = vaultKeys(config.VAULT_KEYS, config.VAULT_FINGERPRINT_KEY);
  const tell = (place: string, done: number): void => console.info(`${place}: ${done} sealed anew`);
  const total = await rotate(db, keys, tell, stop).catch(error => {
    throw /^VAULT_KEYS/.test(error.message) ? new Refusal(`${error.message}.`) : error;
  });
  console.info(
    stop.aborted
      ? `Stopped after ${total}; run it again to go on.`
      : `${total} sealed anew. Everything lies under the key ${keys.sealing.id} now; the others can be taken out of VAULT_KEYS.`,
  );
  await db.$disconnect();
});
