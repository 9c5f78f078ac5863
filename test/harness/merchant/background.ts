/** The parts of a background process: a client of the acquirer, and the recovery of unfinished transactions. */
import pino from 'pino';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { recover } from '../../../src/operations/background/recovery';
import { atTheEnd } from '../flow/atTheEnd';
import type { testApi } from '../servers/api';
import { vault } from '../world/secrets';

export function testBackground(api: ReturnType<typeof testApi>) {
  const log = pino({ level: 'silent' });
  let acquirer: HttpAcquirer;
  beforeAll(() => {
    acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log });
    atTheEnd(() => acquirer.close());
  });
  return {
    acquirer: () => acquirer,
    runRecovery: (at: HttpAcquirer = acquirer) => recover(api.database.db(), { sandbox: at }, log),
  };
}
