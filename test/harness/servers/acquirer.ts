import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { NOTIFICATIONS } from '../../../src/http/notifications/route';
import { addBankPages } from '../../../src/simulator/bankPage';
import { Notifier } from '../../../src/simulator/notifier';
import { createAcquirer } from '../../../src/simulator/server';
import { ReportSender } from '../../../src/simulator/settlement/sender';
import { SimulatedAcquirer } from '../../../src/simulator/simulatedAcquirer';
import type { JournalEntry } from '../../../src/simulator/state';
import { canaries } from '../cards/canaries';
import { atTheEnd } from '../flow/atTheEnd';
import { secrets } from './secrets';

/** A simulated acquirer for one test file, with its own port and journal. */
export function testAcquirer() {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-acquirer-'));
  const journalFile = join(directory, 'journal.ndjson');
  let acquirer: SimulatedAcquirer;
  let server: FastifyInstance;
  let notifier: Notifier;
  const url = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  /** By path: lets the answers go that `hold` holds back. */
  const heldAnswers = new Map<string, (() => void)[]>();
  let notificationUrl = 'http://127.0.0.1:1';
  beforeAll(async () => {
    atTheEnd(() => {
      const leaks = canaries.inFiles(directory);
      rmSync(directory, { recursive: true });
      expect(leaks).toEqual([]);
    });
    acquirer = await SimulatedAcquirer.open(journalFile, secrets.ACQUIRER_KEY);
    atTheEnd(() => acquirer.close());
    const log = pino({ level: 'silent' });
    notifier = new Notifier(acquirer.payers, () => [notificationUrl], secrets.ACQUIRER_KEY, log);
    atTheEnd(() => notifier.close());
    const reportSender = new ReportSender(acquirer.reports, notifier, log);
    atTheEnd(() => reportSender.close());
    server = createAcquirer(acquirer, secrets.ACQUIRER_KEY, log, { notifier, reportSender }, url);
    atTheEnd(() => server.close());
    addBankPages(server, acquirer.payers, notifier);
    server.addHook('onSend', async ({ url }) => {
      const held = heldAnswers.get(url);
      if (held) await new Promise<void>(resolve => held.push(resolve));
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  return {
    credentials: () => ({ url: url(), key: secrets.ACQUIRER_KEY }),
    payers: () => acquirer.payers,
    reports: () => acquirer.reports,
    notifier: () => notifier,
    /** Sets where notifications go, once the API's address is known. */
    notifyApiAt: (origin: string) => {
      notificationUrl = `${origin}${NOTIFICATIONS}`;
    },
    /** What is asked for at the path is done and not answered until `release` is called, or the test ends. */
    hold: (path: '/charge' | '/capture' | '/reverse' | '/verify' | '/withdraw' | '/payout') => {
      const held: (() => void)[] = [];
      heldAnswers.set(path, held);
      const release = (): void => {
        heldAnswers.delete(path);
        for (const answer of held) answer();
      };
      atTheEnd(release);
      return { release, count: () => held.length };
    },
    journal: (): JournalEntry[] => acquirer.entries(0, 1_000_000),
    /** Whether a scripted timeout of this card has happened; it leaves no entry. */
    hasTimedOut: (reference: string) => readFileSync(journalFile, 'utf8').includes(`{"met":"${reference}"`),
    /** Scripts the outcomes of a card that is not saved, by the reference that its charges carry. */
    script: (reference: string, ...outcomes: (string | number)[]) => acquirer.script(reference, outcomes),
  };
}
