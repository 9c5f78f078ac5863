/** State of the simulated acquirer, built only by applying journal records. */
import { APPROVED } from '../../gateway/acquirer/codes';
import type { BankOrder, ChargeDetails, Issuer, MerchantAdvice, StoreNetwork } from '../../gateway/acquirer/port';
import type { SettlementType } from '../../gateway/acquirer/settlementReport';
import { parseScriptedOutcome, type ScriptedOutcome } from '../../sandbox/scriptedOutcomes';
import { isPaidLater, OPERATIONS, type OrderedOperation } from './operations';
import { type MadeReport, type Payee, SettlementState } from './settlement/unreported';

/** A journal entry as returned by GET /journal. */
export interface JournalEntry {
  sequence: number;
  time: string;
  operation: OrderedOperation | 'reverse';
  key: string;
  /** In centavos. */
  amount: number;
  /** Fingerprint of the card. */
  card: string | null;
  outcome: 'approved' | number;
}

export interface SimulatedAnswer {
  response: string;
  authorization?: string;
  fraud_rules?: string[];
  advice?: MerchantAdvice;
  /** Voucher reference. */
  reference?: string;
  paybin_reference?: string;
  networks?: StoreNetwork[];
  /** Merchant's key and QR code of a Bre-B payment. */
  key?: string;
  qr?: string;
  /** Page id of a bank or Bre-B payment. */
  page?: string;
  /** Issuer of a verified card, if known. */
  issuer?: Issuer;
}

export type OrderedDetails = Omit<ChargeDetails, 'at'>;

interface JournaledAnswer {
  entry: JournalEntry;
  answer: SimulatedAnswer;
  reference?: string;
  of?: string;
  scripted?: true;
  order?: BankOrder;
  details?: OrderedDetails;
  /** Merchant ID. */
  payee?: Payee;
  /** Date by the test clock. */
  date?: string;
  /** Key of the issued payment that the payer decided on. */
  decides?: string;
}

export type JournalRecord =
  | { script: string; outcomes: (string | number)[] }
  /** A scripted outcome was consumed without an entry. */
  | { met: string }
  /** The gateway accepted the notification of the payer's decision. */
  | { heard: string }
  /** Amount of an accepted chargeback. */
  | { chargeback: string; amount: number; payee: Payee; date: string; time: string }
  /** The gateway refused it. */
  | { unmade_chargeback: string }
  | { report: MadeReport }
  | { accepted_report: string }
  | JournaledAnswer;

export interface KnownOperation {
  operation: OrderedOperation;
  amount: number;
  card: string | null;
  answer: SimulatedAnswer;
  /** Key of the captured or refunded operation. */
  of?: string | undefined;
  captured?: number | undefined;
  refunded: number;
  order?: BankOrder | undefined;
  details?: OrderedDetails | undefined;
  payee?: Payee | undefined;
  date: string;
  /** In real time. */
  time: string;
  /** The payer's decision. */
  decision?: SimulatedAnswer;
}

export class SimulatorState {
  readonly entries: JournalEntry[] = [];
  readonly operations = new Map<string, KnownOperation>();
  readonly reversed = new Set<string>();
  /** Number of charges by reference of the saved card. */
  readonly chargeCounts = new Map<string, number>();
  readonly scripts = new Map<string, ScriptedOutcome[]>();
  readonly voucherReferences = new Set<string>();
  /** Keys of bank and Bre-B payments by page id. */
  readonly keysByPage = new Map<string, string>();
  /** Keys of decided payments without an accepted notification. */
  readonly unnotified = new Set<string>();
  readonly settlement = new SettlementState();
  /** Keys of approved attempts on payment pages, by transaction. */
  private readonly pageCharges = new Map<string, string>();

  apply(record: JournalRecord): void {
    if ('script' in record)
      this.scripts.set(
        record.script,
        record.outcomes.flatMap(value => parseScriptedOutcome(value) ?? []),
      );
    else if ('met' in record) this.scripts.get(record.met)?.shift();
    else if ('heard' in record) this.unnotified.delete(record.heard);
    else if ('report' in record) this.settlement.applyReport(record.report);
    else if ('accepted_report' in record) this.settlement.unaccepted.delete(record.accepted_report);
    else if ('unmade_chargeback' in record) this.forgetItem('chargeback', record.unmade_chargeback);
    else if ('chargeback' in record) {
      const { chargeback: key, amount, payee, date, time } = record;
      this.settlement.add({ ...payee, type: 'chargeback', key, amount: -amount, date, recorded: time });
    } else this.applyEntry(record);
  }

  /** Charged amount of a transaction. */
  findCharge = (transaction: string): KnownOperation | undefined =>
    this.operations.get(transaction) ?? this.operations.get(this.pageCharges.get(transaction) ?? '');

  private applyEntry(record: JournaledAnswer): void {
    const { entry, answer, reference, of, scripted, order, details, decides, payee, date = entry.time } = record;
    const { operation, key, amount, card, time } = entry;
    this.entries.push(entry);
    if (operation === 'reverse') {
      this.applyReversal(key);
      return;
    }
    if (decides !== undefined) {
      const decided = this.operations.get(decides);
      if (decided) decided.decision = answer;
      this.unnotified.add(decides);
      this.addItem(record, decided?.payee);
      return;
    }
    this.operations.set(key, { operation, amount, card, answer, of, refunded: 0, order, details, payee, date, time });
    if (!isPaidLater(operation)) this.addItem(record, payee);
    if (operation === 'charge' && answer.response === APPROVED && key.includes('-'))
      this.pageCharges.set(key.replace(/-.*/, ''), key);
    if (answer.reference) this.voucherReferences.add(answer.reference);
    if (answer.page) this.keysByPage.set(answer.page, key);
    if (reference !== undefined) this.chargeCounts.set(reference, (this.chargeCounts.get(reference) ?? 0) + 1);
    if (reference !== undefined && scripted) this.scripts.get(reference)?.shift();
    const origin = answer.response === APPROVED ? this.operations.get(of ?? '') : undefined;
    if (origin && operation === 'capture') origin.captured = amount;
    if (origin && operation === 'refund') origin.refunded += amount;
  }

  /** Approved operations that move money are settled. */
  private addItem({ entry, answer, date = entry.time }: JournaledAnswer, payee: Payee | undefined): void {
    const { operation, key, amount, time } = entry;
    const type = operation === 'reverse' ? undefined : OPERATIONS[operation].settledAs;
    if (!payee || answer.response !== APPROVED || !type) return;
    const signed = type === 'charge' ? amount : -amount;
    this.settlement.add({ ...payee, type, key, amount: signed, date, recorded: time });
  }

  private forgetItem(type: SettlementType, key: string): void {
    const { merchant } = this.findCharge(key)?.payee ?? {};
    if (merchant !== undefined) this.settlement.remove({ merchant, type, key });
  }

  private applyReversal(key: string): void {
    this.reversed.add(key);
    const { operation, of = '', amount = 0, answer } = this.operations.get(key) ?? {};
    this.forgetItem((operation && OPERATIONS[operation].settledAs) ?? 'charge', key);
    const origin = answer?.response === APPROVED ? this.operations.get(of) : undefined;
    if (origin && operation === 'capture') origin.captured = undefined;
    if (origin && operation === 'refund') origin.refunded -= amount;
  }
}
