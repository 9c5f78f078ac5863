import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { NOTIFICATIONS } from '../../../src/http/notifications/route';
import { addBankPages } from '../../../src/simulator/bankPage';
import { Notifier } from '../../../src/simulator/notifier';
import { createAcquirer } from '../../../src/simulator/server';
import { SimulatedAcquirer } from '../../../src/simulator/simulatedAcquirer';
import type { JournalEntry } from '../../../src/simulator/state';
import { canaries } from '../cards/canaries';
import { secrets } from './secrets';

/** The simulated acquirer on a port and with a journal of its own, for one test file. */
export function testAcquirer() {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-acquirer-'));
  let bank: SimulatedAcquirer;
  let server: FastifyInstance;
  let teller: Notifier;
  const address = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  let notificationUrl = 'http://127.0.0.1:1';
  beforeAll(async () => {
    bank = await SimulatedAcquirer.open(join(directory, 'journal.ndjson'), secrets.ACQUIRER_KEY);
    const log = pino({ level: 'silent' });
    teller = new Notifier(bank.payers, () => [notificationUrl], secrets.ACQUIRER_KEY, log);
    server = createAcquirer(bank, secrets.ACQUIRER_KEY, log, teller, address);
    addBankPages(server, bank.payers, teller);
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await server.close();
    await teller.close();
    await bank.close();
    const found = canaries.inFiles(directory);
    rmSync(directory, { recursive: true });
    expect(found).toEqual([]);
  });
  return {
    credentials: () => ({ url: address(), key: secrets.ACQUIRER_KEY }),
    payers: () => bank.payers,
    teller: () => teller,
    /** Where the API listens, once that is known. */
    notifies: (origin: string) => {
      notificationUrl = `${origin}${NOTIFICATIONS}`;
    },
    journal: (): JournalEntry[] => bank.entries(0, 1_000_000),
    /** For cards that are not saved, by what their number is bound to. */
    script: (reference: string, ...outcomes: (string | number)[]) => bank.script(reference, outcomes),
  };
}
