/** Decisions of the simulated acquirer. Every operation is journaled before the response. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { APPROVED } from '../../gateway/acquirer/codes';
import type { MerchantAdvice } from '../../gateway/acquirer/port';
import { hasExpired } from '../../payments/cardDetails/typed';
import type { ErrorKind } from '../../platform/errors';
import type { ScriptedOutcome } from '../../sandbox/scriptedOutcomes';
import { buildAnswer, issueInstructions, REFUSED } from './answers';
import { issuerOf } from './issuers';
import { JournaledState } from './journaledState';
import { isPaidLater, type OrderedOperation } from './operations';
import { type AcquirerOrder, InvalidOrder, NoResponse } from './orders';
import { PayerDecisions } from './payers';
import { SettlementReports } from './settlement/reports';
import type { JournalEntry, JournalRecord, KnownOperation, SimulatedAnswer, SimulatorState } from './state';
import { chargeOutcome, payoutOutcome, verificationOutcome } from './testCardOutcomes';

const SLOW_RESPONSE_MS = 2000;

export class SimulatedAcquirer {
  readonly payers: PayerDecisions;
  readonly reports: SettlementReports;
  private readonly state: SimulatorState;

  private constructor(
    private readonly journaled: JournaledState,
    private readonly secret: string,
  ) {
    this.state = journaled.state;
    this.payers = new PayerDecisions(journaled);
    this.reports = new SettlementReports(journaled);
  }

  /** The journal identifies cards by a fingerprint. Its secret is not in the journal. */
  static async open(path: string, secret: string): Promise<SimulatedAcquirer> {
    return new SimulatedAcquirer(await JournaledState.open(path), secret);
  }

  close(): Promise<void> {
    return this.journaled.close();
  }

  entries(after: number, limit: number): JournalEntry[] {
    return this.state.entries.slice(after, after + limit);
  }

  /** Idempotent: the same key gets the same response and has one entry. */
  async perform(operation: OrderedOperation, order: AcquirerOrder): Promise<SimulatedAnswer> {
    await this.journaled.waitForWrites(order.key);
    const previous = this.state.operations.get(order.key);
    const isSame =
      previous?.operation === operation &&
      previous.amount === (order.amount ?? 0) &&
      previous.of === order.of &&
      previous.card === this.fingerprint(order);
    if (previous && !isSame) throw new InvalidOrder('the key was used for a different order');
    if (this.state.reversed.has(order.key)) return { response: REFUSED };
    if (previous) return previous.answer;

    const scripted = chargesCard(operation) ? this.state.scripts.get(order.card?.reference ?? '')?.[0] : undefined;
    if (scripted === 'timeout') {
      await this.journaled.write({ met: order.card?.reference ?? '' });
      throw new NoResponse();
    }
    const answer = {
      ...buildAnswer(this.findDecline(operation, order, scripted), scriptedAdvice(scripted)),
      ...issueInstructions(operation, order, this.state.voucherReferences),
      ...(operation === 'verify' ? issuerOf(order.card?.number ?? '') : {}),
    };
    await this.journaled.write(this.recordOf(operation, order, answer, scripted !== undefined), order.key);
    if (scripted === 'timeout_after_charge') throw new NoResponse();
    if (scripted === 'slow') await sleep(SLOW_RESPONSE_MS);
    return answer;
  }

  async reverse(key: string): Promise<void> {
    await this.journaled.waitForWrites(key);
    if (!this.state.reversed.has(key)) await this.recordReversal(key);
  }

  /** Closes the payment; returns the decision if the payer was faster. */
  async withdraw(key: string): Promise<SimulatedAnswer | undefined> {
    await this.journaled.waitForWrites(key);
    const decision = this.payers.decisionOn(key);
    if (!decision && !this.state.reversed.has(key)) await this.recordReversal(key);
    return decision;
  }

  async find(key: string): Promise<(SimulatedAnswer & { reversed: boolean; details?: object }) | undefined> {
    await this.journaled.waitForWrites(key);
    const known = this.state.operations.get(key);
    const reversed = this.state.reversed.has(key);
    return known || reversed
      ? { response: REFUSED, ...known?.answer, reversed, ...(known?.details ? { details: known.details } : {}) }
      : undefined;
  }

  /** Scripts the outcomes of the next charges to a saved card. */
  script(reference: string, outcomes: (string | number)[]): Promise<void> {
    return this.journaled.write({ script: reference, outcomes });
  }

  private recordReversal(key: string): Promise<void> {
    const card = this.state.operations.get(key)?.card ?? null;
    const amount = this.reversibleAmount(key);
    const answer = buildAnswer(undefined);
    const entry = this.journaled.buildEntry({ operation: 'reverse', key, amount, card }, answer);
    return this.journaled.write({ entry, answer }, key);
  }

  private findDecline(
    operation: OrderedOperation,
    order: AcquirerOrder,
    scripted: ScriptedOutcome | undefined,
  ): ErrorKind | undefined {
    const { of = '', amount = 0, card } = order;
    if (isPaidLater(operation)) return undefined;
    if (operation === 'payout') return payoutOutcome(order.account?.number ?? '');
    if (!card) return this.isAvailable(operation, of, amount) ? undefined : 'not_allowed';
    if (operation === 'verify') return verificationOutcome(card.number) ?? expiryOutcome(order);
    if (scripted === 'approve' || scripted === 'timeout' || scripted === 'timeout_after_charge') return undefined;
    if (scripted !== undefined && scripted !== 'slow') return typeof scripted === 'object' ? scripted.kind : scripted;
    return chargeOutcome(card.number, this.state.chargeCounts.get(card.reference) ?? 0) ?? expiryOutcome(order);
  }

  /** Whether the amount can still be captured or refunded. */
  private isAvailable(operation: OrderedOperation, of: string, amount: number): boolean {
    const origin = this.state.operations.get(of);
    if (origin?.answer.response !== APPROVED || this.state.reversed.has(of)) return false;
    if (operation === 'capture')
      return origin.operation === 'authorize' && origin.captured === undefined && amount <= origin.amount;
    return origin.refunded + amount <= paidAmount(origin);
  }

  /** Amount that a reversal refunds or releases; 0 without an approval. */
  private reversibleAmount(key: string): number {
    const known = this.state.operations.get(key);
    if (known?.answer.response !== APPROVED || known.operation === 'verify' || isPaidLater(known.operation)) return 0;
    return (known.captured ?? known.amount) - known.refunded;
  }

  private fingerprint({ card, of = '' }: AcquirerOrder): string | null {
    if (!card) return this.state.operations.get(of)?.card ?? null;
    return createHmac('sha256', this.secret).update(card.number).digest('hex').slice(0, 32);
  }

  private recordOf(
    operation: OrderedOperation,
    order: AcquirerOrder,
    answer: SimulatedAnswer,
    scripted: boolean,
  ): JournalRecord {
    const { key, amount = 0, card, of, payee, date } = order;
    return {
      entry: this.journaled.buildEntry({ operation, key, amount, card: this.fingerprint(order) }, answer),
      answer,
      ...(card && chargesCard(operation) ? { reference: card.reference } : {}),
      ...(of ? { of } : {}),
      ...(order.order ? { order: order.order } : {}),
      ...(order.details ? { details: order.details } : {}),
      ...(scripted ? { scripted } : {}),
      ...(payee ? { payee } : {}),
      ...(date ? { date } : {}),
    };
  }
}

function paidAmount({ operation, amount, captured = 0, decision }: KnownOperation): number {
  if (isPaidLater(operation)) return decision?.response === APPROVED ? amount : 0;
  return operation === 'charge' ? amount : captured;
}

/** Expiration is checked only with a date. */
function expiryOutcome({ card, date }: AcquirerOrder): ErrorKind | undefined {
  const { expiration_month, expiration_year } = card ?? {};
  if (!date || !expiration_month || !expiration_year) return undefined;
  return hasExpired(expiration_month, expiration_year, new Date(date)) ? 'card_expired' : undefined;
}

const scriptedAdvice = (scripted: ScriptedOutcome | undefined): MerchantAdvice | undefined =>
  typeof scripted === 'object' ? scripted.advice : undefined;

const chargesCard = (operation: OrderedOperation): boolean => operation === 'charge' || operation === 'authorize';
