/** Texts about a subscription in each language. Days have the format of the API. */
import type { HistoryEvent, HistoryLine } from '../lines/events';

export interface Words {
  lines: Record<HistoryEvent, (line: HistoryLine) => string>;
  /** `to`: plan and quantity. */
  changes(to: string, on: string): string;
  hasCredit(amount: string): string;
  coversOn(day: string, period: number): string;
  endsWithPeriod: string;
  /** `since`: the day on which it takes effect. */
  paused(since: string, resumes: string | null): string;
  inTrial(until: string): string;
  active(period: number, until: string): string;
  pastDue(period: number, retriesLeft: number, after: 'unpaid' | 'cancelled'): string;
  unpaid(period: number): string;
  cancelled(reason: string): string;
  nothingNext: string;
  suspended: string;
  held: string;
  asksAcquirer(period: number): string;
  waitsForPayment(period: number, until: string): string;
  endsOn(day: string): string;
  cancelsOn(day: string, period: number): string;
  chargesAtOnce(period: number): string;
  chargesOn(day: string, period: number): string;
  waitsForResumption: string;
  waitsForNewCard: string;
  skipsOn(day: string, period: number, retriesLeft: number, after: 'unpaid' | 'cancelled'): string;
  retriesOn(day: string, period: number, retriesLeft: number, after: 'unpaid' | 'cancelled'): string;
}
