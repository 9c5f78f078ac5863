/** What payers decide, in a store or at their bank, of what was given out. Each decides once; whoever comes later finds it decided. */
import type { BankOrder } from '../acquirer/port';
import { answerOf, isIssued } from './answers';
import type { JournaledState } from './journaledState';
import type { SimulatedAnswer } from './state';

/** A payment at the payer's bank, as its page shows it. */
export interface BankPayment extends BankOrder {
  key: string;
  amount: number;
  /** Whether there is nothing to decide any more. */
  over: boolean;
}

export class PayerDecisions {
  constructor(private readonly records: JournaledState) {}

  /** False where there is nothing to decide, or not any more. */
  async decide(key: string, isPaid: boolean): Promise<boolean> {
    const { state: memory } = this.records;
    await this.records.settled(key);
    const known = memory.known.get(key);
    if (!known || !isIssued(known.operation) || known.decision || memory.reversed.has(key)) return false;
    const answer = answerOf(isPaid ? undefined : 'transfer_refused');
    const { operation, amount, card } = known;
    const entry = this.records.entryOf({ operation, key: `${key}-paid`, amount, card }, answer);
    await this.records.write({ entry, answer, decides: key }, key);
    return true;
  }

  decisionOn = (key: string): SimulatedAnswer | undefined => this.records.state.known.get(key)?.decision;

  /** Of which the gateway must still hear what was decided. */
  unheard = (): string[] => [...this.records.state.unheard];

  heard(key: string): Promise<void> {
    return this.records.write({ heard: key });
  }

  paymentOf(page: string): BankPayment | undefined {
    const { state: memory } = this.records;
    const key = memory.pages.get(page) ?? '';
    const { order, amount, decision } = memory.known.get(key) ?? {};
    if (!order || amount === undefined) return undefined;
    return { ...order, key, amount, over: decision !== undefined || memory.reversed.has(key) };
  }
}
