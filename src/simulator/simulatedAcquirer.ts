/** What the simulated acquirer decides. Whatever it does is in its journal before it says so. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { APPROVED } from '../acquirer/codes';
import type { BankOrder } from '../acquirer/port';
import type { ErrorName } from '../platform/errors';
import type { ScriptedOutcome } from '../sandbox/scriptedOutcomes';
import { answerOf, isIssued, issue, REFUSED } from './answers';
import { JournaledState } from './journaledState';
import { PayerDecisions } from './payers';
import type { AcquirerOperation, JournalEntry, JournalRecord, SimulatedAnswer, SimulatorState } from './state';
import { chargeOutcome, verificationOutcome } from './testCardOutcomes';

export interface AcquirerOrder {
  key: string;
  amount?: number;
  /** The key of what is captured or refunded. */
  of?: string;
  card?: { reference: string; number: string };
  /** Of a payment at the payer's bank. */
  order?: BankOrder;
}

/** No answer will come. */
export class NoResponse extends Error {}
/** The order makes no sense. */
export class InvalidOrder extends Error {}

const SLOW_MS = 2000;

export class SimulatedAcquirer {
  readonly payers: PayerDecisions;
  private readonly memory: SimulatorState;

  private constructor(
    private readonly records: JournaledState,
    private readonly secret: string,
  ) {
    this.memory = records.state;
    this.payers = new PayerDecisions(records);
  }

  /** Cards are told apart in the journal by a fingerprint under the secret, which is not in it. */
  static async open(path: string, secret: string): Promise<SimulatedAcquirer> {
    return new SimulatedAcquirer(await JournaledState.open(path), secret);
  }

  close(): Promise<void> {
    return this.records.close();
  }

  entries(after: number, limit: number): JournalEntry[] {
    return this.memory.entries.slice(after, after + limit);
  }

  /** The same key again gets the same answer, and there is one entry. */
  async perform(operation: AcquirerOperation, order: AcquirerOrder): Promise<SimulatedAnswer> {
    await this.records.settled(order.key);
    const known = this.memory.known.get(order.key);
    const isSame =
      known?.operation === operation &&
      known.amount === (order.amount ?? 0) &&
      known.of === order.of &&
      known.card === this.fingerprint(order);
    if (known && !isSame) throw new InvalidOrder('the key was used for something else');
    if (this.memory.reversed.has(order.key)) return { response: REFUSED };
    if (known) return known.answer;

    const step = charges(operation) ? this.memory.scripts.get(order.card?.reference ?? '')?.[0] : undefined;
    if (step === 'timeout') {
      await this.records.write({ met: order.card?.reference ?? '' });
      throw new NoResponse();
    }
    const answer = {
      ...answerOf(this.refusal(operation, order, step)),
      ...issue(operation, this.memory.references),
    };
    await this.records.write(this.recordOf(operation, order, answer, step !== undefined), order.key);
    if (step === 'timeout_after_charge') throw new NoResponse();
    if (step === 'slow') await sleep(SLOW_MS);
    return answer;
  }

  async reverse(key: string): Promise<void> {
    await this.records.settled(key);
    if (!this.memory.reversed.has(key)) await this.undo(key);
  }

  /** Nobody can pay it from now on; answers what its payer had decided before. */
  async withdraw(key: string): Promise<SimulatedAnswer | undefined> {
    await this.records.settled(key);
    const decision = this.payers.decisionOn(key);
    if (!decision && !this.memory.reversed.has(key)) await this.undo(key);
    return decision;
  }

  async find(key: string): Promise<(SimulatedAnswer & { reversed: boolean }) | undefined> {
    await this.records.settled(key);
    const known = this.memory.known.get(key);
    const reversed = this.memory.reversed.has(key);
    return known || reversed ? { response: REFUSED, ...known?.answer, reversed } : undefined;
  }

  /** What the next charges to a saved card meet. */
  script(reference: string, outcomes: (string | number)[]): Promise<void> {
    return this.records.write({ script: reference, outcomes });
  }

  private undo(key: string): Promise<void> {
    const card = this.memory.known.get(key)?.card ?? null;
    const amount = this.outstanding(key);
    const answer = answerOf(undefined);
    const entry = this.records.entryOf({ operation: 'reverse', key, amount, card }, answer);
    return this.records.write({ entry, answer }, key);
  }

  private refusal(
    operation: AcquirerOperation,
    order: AcquirerOrder,
    step: ScriptedOutcome | undefined,
  ): ErrorName | undefined {
    const { of = '', amount = 0, card } = order;
    if (isIssued(operation)) return undefined;
    if (!card) return this.isCovered(operation, of, amount) ? undefined : 'not_allowed';
    if (operation === 'verify') return verificationOutcome(card.number);
    if (step === 'approve' || step === 'timeout' || step === 'timeout_after_charge') return undefined;
    if (step !== undefined && step !== 'slow') return step;
    return chargeOutcome(card.number, this.memory.charges.get(card.reference) ?? 0);
  }

  /** Whether what is to be captured or refunded is there. */
  private isCovered(operation: AcquirerOperation, of: string, amount: number): boolean {
    const origin = this.memory.known.get(of);
    if (origin?.answer.response !== APPROVED || this.memory.reversed.has(of)) return false;
    if (operation === 'capture')
      return origin.operation === 'authorize' && origin.captured === undefined && amount <= origin.amount;
    const taken = origin.operation === 'charge' ? origin.amount : (origin.captured ?? 0);
    return origin.refunded + amount <= taken;
  }

  /** What a reversal gives back or lets go: nothing where nothing was approved. */
  private outstanding(key: string): number {
    const known = this.memory.known.get(key);
    if (known?.answer.response !== APPROVED || known.operation === 'verify' || isIssued(known.operation)) return 0;
    return (known.captured ?? known.amount) - known.refunded;
  }

  private fingerprint({ card, of = '' }: AcquirerOrder): string | null {
    if (!card) return this.memory.known.get(of)?.card ?? null;
    return createHmac('sha256', this.secret).update(card.number).digest('hex').slice(0, 32);
  }

  private recordOf(
    operation: AcquirerOperation,
    order: AcquirerOrder,
    answer: SimulatedAnswer,
    scripted: boolean,
  ): JournalRecord {
    const { key, amount = 0, card, of } = order;
    return {
      entry: this.records.entryOf({ operation, key, amount, card: this.fingerprint(order) }, answer),
      answer,
      ...(card && charges(operation) ? { reference: card.reference } : {}),
      ...(of ? { of } : {}),
      ...(order.order ? { order: order.order } : {}),
      ...(scripted ? { scripted } : {}),
    };
  }
}

const charges = (operation: AcquirerOperation): boolean => operation === 'charge' || operation === 'authorize';
