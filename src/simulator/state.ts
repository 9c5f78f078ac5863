/** The simulated acquirer's state, built only by applying journal records, both while running and after a restart. */
import { APPROVED } from '../acquirer/codes';
import type { BankOrder, ChargeDetails, Issuer } from '../acquirer/port';
import { parseScriptedOutcome, type ScriptedOutcome } from '../sandbox/scriptedOutcomes';

export const OPERATIONS = ['verify', 'charge', 'authorize', 'capture', 'refund', 'voucher', 'bank'] as const;
export type AcquirerOperation = (typeof OPERATIONS)[number];

/** A line of the journal as GET /journal shows it. */
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
  /** The voucher's reference. */
  reference?: string;
  paybin_reference?: string;
  /** The id of the page on which the payer's bank shows the payment. */
  page?: string;
  /** Of a card that was verified, as far as it is known. */
  issuer?: Issuer;
}

/** What kind of charge it is. */
export type OrderedDetails = Omit<ChargeDetails, 'at'>;

interface JournaledAnswer {
  entry: JournalEntry;
  answer: SimulatedAnswer;
  reference?: string;
  of?: string;
  scripted?: true;
  order?: BankOrder;
  details?: OrderedDetails;
  /** The key of the voucher or bank payment that this entry is the payer's decision on. */
  decides?: string;
}

export type JournalRecord =
  | { script: string; outcomes: (string | number)[] }
  /** A scripted outcome was used up without an entry. */
  | { met: string }
  /** The gateway has accepted the notification of the payer's decision. */
  | { heard: string }
  | JournaledAnswer;

export interface KnownOperation {
  operation: AcquirerOperation;
  amount: number;
  card: string | null;
  answer: SimulatedAnswer;
  /** The key of the operation that this one captures or refunds. */
  of?: string | undefined;
  captured?: number | undefined;
  refunded: number;
  order?: BankOrder | undefined;
  details?: OrderedDetails | undefined;
  /** The payer's decision. */
  decision?: SimulatedAnswer;
}

export class SimulatorState {
  readonly entries: JournalEntry[] = [];
  readonly operations = new Map<string, KnownOperation>();
  readonly reversed = new Set<string>();
  /** Charges so far by the reference of the saved card. */
  readonly chargeCounts = new Map<string, number>();
  readonly scripts = new Map<string, ScriptedOutcome[]>();
  readonly voucherReferences = new Set<string>();
  /** The keys of bank payments by their page id. */
  readonly keysByPage = new Map<string, string>();
  /** Keys of decided payments that the gateway has not accepted a notification for. */
  readonly unnotified = new Set<string>();

  apply(record: JournalRecord): void {
    if ('script' in record)
      this.scripts.set(
        record.script,
        record.outcomes.flatMap(value => parseScriptedOutcome(value) ?? []),
      );
    else if ('met' in record) this.scripts.get(record.met)?.shift();
    else if ('heard' in record) this.unnotified.delete(record.heard);
    else this.applyEntry(record);
  }

  private applyEntry({ entry, answer, reference, of, scripted, order, details, decides }: JournaledAnswer): void {
    const { operation, key, amount, card } = entry;
    this.entries.push(entry);
    if (operation === 'reverse') {
      this.applyReversal(key);
      return;
    }
    if (decides !== undefined) {
      const decided = this.operations.get(decides);
      if (decided) decided.decision = answer;
      this.unnotified.add(decides);
      return;
    }
    this.operations.set(key, { operation, amount, card, answer, of, refunded: 0, order, details });
    if (answer.reference) this.voucherReferences.add(answer.reference);
    if (answer.page) this.keysByPage.set(answer.page, key);
    if (reference !== undefined) this.chargeCounts.set(reference, (this.chargeCounts.get(reference) ?? 0) + 1);
    if (reference !== undefined && scripted) this.scripts.get(reference)?.shift();
    const origin = answer.response === APPROVED ? this.operations.get(of ?? '') : undefined;
    if (origin && operation === 'capture') origin.captured = amount;
    if (origin && operation === 'refund') origin.refunded += amount;
  }

  private applyReversal(key: string): void {
    this.reversed.add(key);
    const { operation, of = '', amount = 0, answer } = this.operations.get(key) ?? {};
    const origin = answer?.response === APPROVED ? this.operations.get(of) : undefined;
    if (origin && operation === 'capture') origin.captured = undefined;
    if (origin && operation === 'refund') origin.refunded -= amount;
  }
}
