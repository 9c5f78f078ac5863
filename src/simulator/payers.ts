/** What payers decide, in a store or at their bank, of what was given out. Each decides once; whoever comes later finds it decided. */
import type { BankOrder } from '../acquirer/port';
import { answerOf, isIssued } from './answers';
import type { Records } from './journaledState';
import type { Answer } from './state';

/** A payment at the payer's bank, as its page shows it. */
export interface BankPayment extends BankOrder {
  key: string;
  amount: number;
  /** Whether there is nothing to decide any more. */
  over: boolean;
}

export class Payers {
  constructor(private readonly records: Records) {}

  /** False where there is nothing to decide, or not any more. */
  async decide(key: string, isPaid: boolean): Promise<boolean> {
    const { memory } = this.records;
    await this.records.settled(key);
    const known = memory.known.get(key);
    if (!known || !isIssued(known.operation) || known.decision || memory.reversed.has(key)) return false;
    const answer = answerOf(isPaid ? undefined : 'transfer_refused');
    const { operation, amount, card } = known;
    const entry = this.records.entryOf({ operation, key: `${key}-paid`, amount, card }, answer);
    await this.records.write({ entry, answer, decides: key }, key);
    return true;
  }

  decisionOn = (key: string): Answer | undefined => this.records.memory.known.get(key)?.decision;

  /** Of which the gateway must still hear what was decided. */
  unheard = (): string[] => [...this.records.memory.unheard];

  heard(key: string): Promise<void> {
    return this.records.write({ heard: key });
  }

  paymentOf(page: string): BankPayment | undefined {
    const { memory } = this.records;
    const key = memory.pages.get(page) ?? '';
    const { order, amount, decision } = memory.known.get(key) ?? {};
    if (!order || amount === undefined) return undefined;
    return { ...order, key, amount, over: decision !== undefined || memory.reversed.has(key) };
  }
}
