/** Creates the daily settlement reports and sends them to the gateway in parts until they are accepted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_PART_ITEMS, type ReportPart } from '../../../gateway/acquirer/settlementReport';
import type { Log } from '../../../platform/log';
import { NotificationRefused, type Notifier } from '../notifier';
import { nextMorning, type SettlementReports } from './reports';
import type { MadeReport } from './unreported';

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 60_000;
/** The gateway has a different report with this reference, so a retry is useless. */
const FINAL_STATUS = 412;

export class ReportSender {
  private readonly stopping = new AbortController();
  private sending: Promise<void> | undefined;
  private mornings: Promise<void> | undefined;

  constructor(
    private readonly reports: SettlementReports,
    private readonly notifier: Notifier,
    private readonly log: Log,
  ) {}

  /** At startup: sends unaccepted reports and creates those due meanwhile. */
  resume(): void {
    this.mornings = this.keepSettling();
  }

  /** Sends all unaccepted reports, unless sending is in progress. */
  kick(): void {
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined;
    });
  }

  /** Sends these reports, and waits until they are accepted. */
  async deliver(ids: readonly string[]): Promise<void> {
    while (!this.stopping.signal.aborted && this.reports.unaccepted().some(({ id }) => ids.includes(id))) {
      this.kick();
      await this.sending;
    }
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.sending, this.mornings]);
  }

  private async keepSettling(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.reports.settleMorning();
      this.kick();
      const now = Date.now();
      await sleep(nextMorning(now) - now, undefined, { signal }).catch(() => undefined);
    }
  }

  private async sendAll(): Promise<void> {
    const { signal } = this.stopping;
    for (let backoff = MIN_BACKOFF_MS; !signal.aborted; ) {
      let hasFailed = false;
      for (const report of this.reports.unaccepted()) {
        if (signal.aborted) return;
        await this.sendReport(report).catch(error => {
          hasFailed = true;
          this.log.warn({ report: report.id }, `settlement: report not accepted, retrying: ${error.message}`);
        });
      }
      if (this.reports.unaccepted().length === 0) return;
      if (!hasFailed) continue;
      await sleep(backoff, undefined, { signal }).catch(() => undefined);
      backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
    }
  }

  private async sendReport(report: MadeReport): Promise<void> {
    for (const part of partsOf(report))
      await this.notifier.send(part, 'settlement').catch(error => {
        if (!(error instanceof NotificationRefused && error.status === FINAL_STATUS)) throw error;
        this.log.error({ report: report.id }, `settlement: report refused: ${error.message}`);
      });
    await this.reports.markAccepted(report.id);
  }
}

function partsOf({ items, ...report }: MadeReport): ReportPart[] {
  const parts = Math.max(1, Math.ceil(items.length / MAX_PART_ITEMS));
  const total = items.reduce((sum, { amount }) => sum + amount, 0);
  return Array.from({ length: parts }, (_, i) => ({
    ...report,
    part: i + 1,
    parts,
    count: items.length,
    total,
    items: items.slice(i * MAX_PART_ITEMS, (i + 1) * MAX_PART_ITEMS),
  }));
}
