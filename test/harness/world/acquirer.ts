/** A simulated acquirer in this process, with its own port and journal. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { NOTIFICATIONS } from '../../../src/api/notifications/route';
import { addBankPages } from '../../../src/local/simulator/bankPage';
import { Notifier } from '../../../src/local/simulator/notifier';
import { createAcquirer } from '../../../src/local/simulator/server';
import { ReportSender } from '../../../src/local/simulator/settlement/sender';
import { SimulatedAcquirer } from '../../../src/local/simulator/simulatedAcquirer';
import type { JournalEntry } from '../../../src/local/simulator/state';
import { canaries } from '../cards/canaries';
import { secrets } from './secrets';

type HeldPath = '/charge' | '/capture' | '/reverse' | '/verify' | '/withdraw' | '/payout';

export class RunningAcquirer {
  private notificationUrl = 'http://127.0.0.1:1';
  /** By path: functions that release the responses that `hold` delays. */
  private readonly heldAnswers = new Map<string, (() => void)[]>();
  private firstEntry = 0;

  private constructor(
    private readonly directory: string,
    private readonly server: FastifyInstance,
    private readonly simulator: SimulatedAcquirer,
    readonly notifier: Notifier,
    private readonly reportSender: ReportSender,
  ) {}

  static async start(): Promise<RunningAcquirer> {
    const directory = mkdtempSync(join(process.env.TEST_DIRECTORY ?? tmpdir(), 'recaudo-acquirer-'));
    const simulator = await SimulatedAcquirer.open(join(directory, 'journal.ndjson'), secrets.ACQUIRER_KEY);
    const log = pino({ level: 'silent' });
    const notifier: Notifier = new Notifier(
      simulator.payers,
      () => [acquirer.notificationUrl],
      secrets.ACQUIRER_KEY,
      log,
    );
    const reportSender = new ReportSender(simulator.reports, notifier, log);
    const senders = { notifier, reportSender };
    const server = createAcquirer(simulator, secrets.ACQUIRER_KEY, log, senders, () => acquirer.url);
    addBankPages(server, simulator.payers, notifier);
    const acquirer: RunningAcquirer = new RunningAcquirer(directory, server, simulator, notifier, reportSender);
    server.addHook('onSend', async ({ url }) => {
      const held = acquirer.heldAnswers.get(url);
      if (held) await new Promise<void>(resolve => held.push(resolve));
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    return acquirer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  get payers() {
    return this.simulator.payers;
  }

  get reports() {
    return this.simulator.reports;
  }

  notifyApiAt(origin: string): void {
    this.notificationUrl = `${origin}${NOTIFICATIONS}`;
  }

  /** The next requests at the path are executed, but get no response until `release` is called. */
  hold(path: HeldPath): { release(): void; count(): number } {
    const held: (() => void)[] = [];
    this.heldAnswers.set(path, held);
    const release = (): void => {
      this.heldAnswers.delete(path);
      for (const answer of held) answer();
    };
    return { release, count: () => held.length };
  }

  /** `journal` omits the entries so far. */
  forgetJournal(): void {
    this.firstEntry = this.simulator.entries(0, 1_000_000).length;
  }

  journal(): JournalEntry[] {
    return this.simulator.entries(this.firstEntry, 1_000_000);
  }

  /** Whether a scripted timeout of this card has happened; it has no journal entry. */
  hasTimedOut(reference: string): boolean {
    return readFileSync(join(this.directory, 'journal.ndjson'), 'utf8').includes(`{"met":"${reference}"`);
  }

  /** Scripts the outcomes of an unsaved card, by the reference in its charges. */
  script(reference: string, outcomes: (string | number)[]) {
    return this.simulator.script(reference, outcomes);
  }

  /** Returns the files of the acquirer that contain card data. */
  async stop(): Promise<string[]> {
    await this.server.close();
    await this.reportSender.close();
    await this.notifier.close();
    await this.simulator.close();
    const leaks = canaries.inFiles(this.directory);
    rmSync(this.directory, { recursive: true });
    return leaks;
  }
}
