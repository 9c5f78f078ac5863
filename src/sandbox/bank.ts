/** What the simulated acquirer decides. Whatever it does is in its journal before it says so. */
import { createHmac, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { APPROVED, declines } from '../acquirer/codes';
import { codeOf, type ErrorName } from '../errors';
import { Journal } from './journal';
import { type Answer, type Entry, Memory, type Operation, type Record } from './memory';
import { FRAUD_RULES, ownOutcome, type Step, verification } from './outcomes';

export interface Order {
  key: string;
  amount?: number;
  /** The key of what is captured or refunded. */
  of?: string;
  card?: { reference: string; number: string };
}

/** No answer will come. */
export class Silence extends Error {}
/** The order makes no sense. */
export class Nonsense extends Error {}

const SLOW_MS = 2000;
const REFUSED = '12';

export class Bank {
  private readonly memory = new Memory();
  /** What is on its way to the disk, by key. */
  private readonly pending = new Map<string, Promise<void>>();

  private constructor(
    private readonly journal: Journal<Record>,
    private readonly secret: string,
  ) {}

  /** Cards are told apart in the journal by a fingerprint under the secret, which is not in it. */
  static async open(path: string, secret: string): Promise<Bank> {
    const { journal, records } = await Journal.open<Record>(path);
    const bank = new Bank(journal, secret);
    for (const record of records) bank.memory.learn(record);
    return bank;
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  entries(after: number, limit: number): Entry[] {
    return this.memory.entries.slice(after, after + limit);
  }

  /** The same key again gets the same answer, and there is one entry. */
  async perform(operation: Operation, order: Order): Promise<Answer> {
    await this.settled(order.key);
    const known = this.memory.known.get(order.key);
    const isSame =
      known?.operation === operation &&
      known.amount === (order.amount ?? 0) &&
      known.of === order.of &&
      known.card === this.fingerprint(order);
    if (known && !isSame) throw new Nonsense('the key was used for something else');
    if (this.memory.reversed.has(order.key)) return { response: REFUSED };
    if (known) return known.answer;

    const step = charges(operation) ? this.memory.scripts.get(order.card?.reference ?? '')?.[0] : undefined;
    if (step === 'timeout') {
      await this.write({ met: order.card?.reference ?? '' });
      throw new Silence();
    }
    const answer = answerOf(this.refusal(operation, order, step));
    await this.write(this.recordOf(operation, order, answer, step !== undefined), order.key);
    if (step === 'timeout_after_charge') throw new Silence();
    if (step === 'slow') await sleep(SLOW_MS);
    return answer;
  }

  async reverse(key: string): Promise<void> {
    await this.settled(key);
    if (this.memory.reversed.has(key)) return;
    const card = this.memory.known.get(key)?.card ?? null;
    const amount = this.outstanding(key);
    const answer = answerOf(undefined);
    await this.write({ entry: this.entryOf({ operation: 'reverse', key, amount, card }, answer), answer }, key);
  }

  async find(key: string): Promise<(Answer & { reversed: boolean }) | undefined> {
    await this.settled(key);
    const known = this.memory.known.get(key);
    const reversed = this.memory.reversed.has(key);
    return known || reversed ? { response: REFUSED, ...known?.answer, reversed } : undefined;
  }

  /** What the next charges to a saved card meet. */
  script(reference: string, outcomes: (string | number)[]): Promise<void> {
    return this.write({ script: reference, outcomes });
  }

  private refusal(operation: Operation, order: Order, step: Step | undefined): ErrorName | undefined {
    const { of = '', amount = 0, card } = order;
    if (!card) return this.isCovered(operation, of, amount) ? undefined : 'not_allowed';
    if (operation === 'verify') return verification(card.number);
    if (step === 'approve' || step === 'timeout' || step === 'timeout_after_charge') return undefined;
    if (step !== undefined && step !== 'slow') return step;
    return ownOutcome(card.number, this.memory.charges.get(card.reference) ?? 0);
  }

  /** Whether what is to be captured or refunded is there. */
  private isCovered(operation: Operation, of: string, amount: number): boolean {
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
    if (known?.answer.response !== APPROVED || known.operation === 'verify') return 0;
    return (known.captured ?? known.amount) - known.refunded;
  }

  private fingerprint({ card, of = '' }: Order): string | null {
    if (!card) return this.memory.known.get(of)?.card ?? null;
    return createHmac('sha256', this.secret).update(card.number).digest('hex').slice(0, 32);
  }

  /** Whatever goes on under a key is over, and on the disk. */
  private async settled(key: string): Promise<void> {
    for (let written = this.pending.get(key); written; written = this.pending.get(key)) await written;
  }

  private recordOf(operation: Operation, order: Order, answer: Answer, scripted: boolean): Record {
    const { key, amount = 0, card, of } = order;
    return {
      entry: this.entryOf({ operation, key, amount, card: this.fingerprint(order) }, answer),
      answer,
      ...(card && charges(operation) ? { reference: card.reference } : {}),
      ...(of ? { of } : {}),
      ...(scripted ? { scripted } : {}),
    };
  }

  private entryOf(entry: Pick<Entry, 'operation' | 'key' | 'amount' | 'card'>, { response }: Answer): Entry {
    const refused = response === APPROVED ? undefined : declines[response];
    const [sequence, time] = [this.memory.entries.length + 1, new Date().toISOString()];
    return { sequence, time, ...entry, outcome: refused ? codeOf(refused) : 'approved' };
  }

  /** Remembered at once, so that the next order sees it; over when it is on the disk. */
  private write(record: Record, key?: string): Promise<void> {
    this.memory.learn(record);
    const written = this.journal.append(record);
    if (key !== undefined) {
      this.pending.set(key, written);
      const over = (): unknown => this.pending.get(key) === written && this.pending.delete(key);
      written.then(over, over);
    }
    return written;
  }
}

const charges = (operation: Operation): boolean => operation === 'charge' || operation === 'authorize';

function answerOf(refused: ErrorName | undefined): Answer {
  if (!refused) return { response: APPROVED, authorization: String(randomInt(100_000, 1_000_000)) };
  const [response = REFUSED] = Object.entries(declines).find(([, kind]) => kind === refused) ?? [];
  return { response, ...(refused === 'fraud' ? { fraud_rules: FRAUD_RULES } : {}) };
}
