/** What the simulated acquirer knows, learned from the records of its journal one by one, at work and after a restart alike. */
import { APPROVED } from '../acquirer/codes';
import type { BankOrder } from '../acquirer/port';
import { parseScriptedOutcome, type ScriptedOutcome } from '../sandbox/scriptedOutcomes';

export const OPERATIONS = ['verify', 'charge', 'authorize', 'capture', 'refund', 'voucher', 'bank'] as const;
export type AcquirerOperation = (typeof OPERATIONS)[number];

/** A line of the journal as it is shown. */
export interface JournalEntry {
  sequence: number;
  time: string;
  operation: AcquirerOperation | 'reverse';
  key: string;
  /** In centavos. */
  amount: number;
  /** A fingerprint. */
  card: string | null;
  outcome: 'approved' | number;
}

export interface SimulatedAnswer {
  response: string;
  authorization?: string;
  fraud_rules?: string[];
  /** Of a voucher. */
  reference?: string;
  paybin_reference?: string;
  /** Under which the payer's bank shows a payment. */
  page?: string;
}

interface JournaledAnswer {
  entry: JournalEntry;
  answer: SimulatedAnswer;
  reference?: string;
  of?: string;
  scripted?: true;
  order?: BankOrder;
  /** What a payer has decided of the voucher or the bank payment under this key. */
  decides?: string;
}

export type JournalRecord =
  | { script: string; outcomes: (string | number)[] }
  /** A scripted outcome was met that left no entry. */
  | { met: string }
  /** The gateway has heard what was decided of it. */
  | { heard: string }
  | JournaledAnswer;

export interface KnownOperation {
  operation: AcquirerOperation;
  amount: number;
  card: string | null;
  answer: SimulatedAnswer;
  /** The key of what it captured or refunded. */
  of?: string;
  captured?: number;
  refunded: number;
  order?: BankOrder;
  /** What its payer has decided. */
  decision?: SimulatedAnswer;
}

export class SimulatorState {
  readonly entries: JournalEntry[] = [];
  readonly known = new Map<string, KnownOperation>();
  readonly reversed = new Set<string>();
  /** Charges to each saved copy of a card so far. */
  readonly charges = new Map<string, number>();
  readonly scripts = new Map<string, ScriptedOutcome[]>();
  readonly references = new Set<string>();
  /** The keys of payments at a bank, by their page. */
  readonly pages = new Map<string, string>();
  /** Of which the gateway has not heard yet what was decided. */
  readonly unheard = new Set<string>();

  apply(record: JournalRecord): void {
    if ('script' in record)
      this.scripts.set(
        record.script,
        record.outcomes.flatMap(value => parseScriptedOutcome(value) ?? []),
      );
    else if ('met' in record) this.scripts.get(record.met)?.shift();
    else if ('heard' in record) this.unheard.delete(record.heard);
    else this.applyEntry(record);
  }

  private applyEntry({ entry, answer, reference, of, scripted, order, decides }: JournaledAnswer): void {
    const { operation, key, amount, card } = entry;
    this.entries.push(entry);
    if (operation === 'reverse') {
      this.undo(key);
      return;
    }
    if (decides !== undefined) {
      const decided = this.known.get(decides);
      if (decided) decided.decision = answer;
      this.unheard.add(decides);
      return;
    }
    this.known.set(key, { operation, amount, card, answer, of, refunded: 0, order });
    if (answer.reference) this.references.add(answer.reference);
    if (answer.page) this.pages.set(answer.page, key);
    if (reference !== undefined) this.charges.set(reference, (this.charges.get(reference) ?? 0) + 1);
    if (reference !== undefined && scripted) this.scripts.get(reference)?.shift();
    const origin = answer.response === APPROVED ? this.known.get(of ?? '') : undefined;
    if (origin && operation === 'capture') origin.captured = amount;
    if (origin && operation === 'refund') origin.refunded += amount;
  }

  private undo(key: string): void {
    this.reversed.add(key);
    const { operation, of = '', amount = 0, answer } = this.known.get(key) ?? {};
    const origin = answer?.response === APPROVED ? this.known.get(of) : undefined;
    if (origin && operation === 'capture') origin.captured = undefined;
    if (origin && operation === 'refund') origin.refunded -= amount;
  }
}
