/** `npm run operator -- …`: what operators do with merchants and with keys of their own, straight on the database. */
import { connectOnce, openDatabase } from '../database/connection';
import { embeddedVariables } from '../embedded/credentials';
import { readCommandLine, toText } from '../operators/commandLine';
import { readConfig } from '../platform/config/config';
import { ApiError } from '../platform/errors';
import { FatalError, runProgram } from '../platform/lifetime';
import { rendererOf } from '../schema/render';
import { programVariables } from './variables';

runProgram('operator', async () => {
  const line = readCommandLine(process.argv.slice(2));
  if (typeof line === 'string') return console.info(line);
  const { command, json, ...input } = line;
  const { DATA_DIR } = readConfig(['DATA_DIR']);
  const env = { ...embeddedVariables(DATA_DIR), ...process.env };
  const { DATABASE_URL, API_KEY_SECRET: secret } = readConfig(programVariables.operator, env);
  await (await connectOnce(DATABASE_URL)).end();
  const db = openDatabase(DATABASE_URL);
  const { type, records } = await command.run({ db, secret, ...input }).catch(error => {
    if (error instanceof ApiError) throw new FatalError(`${error.message}.`);
    throw error.code === 'P2021' ? new FatalError('The database is not migrated: run npm run migrate first.') : error;
  });
  const rendered = Array.isArray(records) ? records.map(rendererOf(type)) : rendererOf(type)(records);
  console.info(json ? JSON.stringify(rendered, null, 2) : toText(rendered as object, command.columns));
  await db.$disconnect();
});
