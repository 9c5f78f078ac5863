/** `npm run merchant -- …`: creates merchant accounts and rotates their keys. Prints the keys, which are shown only once. */
import { parseArgs } from 'node:util';
import { Environment } from '../../prisma/generated/enums';
import { createMerchant, rotateKeys } from '../accounts/merchants/accounts';
import { embeddedKeySecret, embeddedVariables, updateKeys } from '../local/credentials';
import { readConfig } from '../platform/config/config';
import { connectOnce, openDatabase } from '../platform/database/connection';
import { FatalError, runProgram } from '../platform/lifetime';
import { programVariables } from './variables';

const USAGE = `Usage:
  npm run merchant -- create --environment sandbox|production --name NAME --email EMAIL --phone PHONE
  npm run merchant -- rotate-keys --id MERCHANT_ID [--overlap-hours 24]

Requires DATABASE_URL and API_KEY_SECRET. Without DATABASE_URL, uses the embedded database of npm start in DATA_DIR.`;

runProgram('merchant', async () => {
  const { command, options } = readArguments();
  if (options.help) return console.info(USAGE);
  const { DATA_DIR } = readConfig(['DATA_DIR']);
  const env = { ...embeddedVariables(DATA_DIR), ...embeddedKeySecret(DATA_DIR), ...process.env };
  const { DATABASE_URL, API_KEY_SECRET } = readConfig(programVariables.merchant, env);
  await (await connectOnce(DATABASE_URL)).end();
  const db = openDatabase(DATABASE_URL);

  const commands: Record<string, () => Promise<object>> = {
    create: () => {
      const { name, email, phone } = options;
      const environment = Object.values(Environment).find(value => value === options.environment);
      if (!environment || !name || !email || !phone?.trim()) throw new FatalError(USAGE);
      if ([name, email, phone].some(({ length }) => length > 100))
        throw new FatalError('Name, e-mail and phone must have at most 100 characters each.');
      return createMerchant(db, { environment, name, email, phone }, API_KEY_SECRET);
    },
    'rotate-keys': async () => {
      const hours = Number(options['overlap-hours']);
      if (!options.id || !(hours >= 0 && hours <= 720)) throw new FatalError(USAGE);
      const keys = await rotateKeys(db, options.id, hours, API_KEY_SECRET);
      if (!keys) throw new FatalError(`There is no merchant ${options.id}.`);
      updateKeys(DATA_DIR, options.id, keys);
      return keys;
    },
  };
  const perform = commands[command ?? ''];
  if (!perform) throw new FatalError(USAGE);
  const result = await perform().catch(error => {
    throw error.code === 'P2021' ? new FatalError('The database is not migrated. Run npm run migrate first.') : error;
  });
  for (const [name, value] of Object.entries(result)) console.info(`${name.padEnd(12)} ${value}`);
  await db.$disconnect();
});

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        environment: { type: 'string' },
        name: { type: 'string' },
        email: { type: 'string' },
        phone: { type: 'string' },
        id: { type: 'string' },
        'overlap-hours': { type: 'string', default: '24' },
        help: { type: 'boolean' },
      },
    });
    return { command: positionals[0], options: values };
  } catch (error) {
    throw new FatalError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
