/** The journal and what is known from it: written down first, answered afterwards. */
import { APPROVED, declines } from '../acquirer/codes';
import { codeOf } from '../platform/errors';
import { Journal } from './journal';
import { type Answer, type Entry, Memory, type Record } from './state';

export class Records {
  readonly memory = new Memory();
  /** What is on its way to the disk, by key. */
  private readonly pending = new Map<string, Promise<void>>();

  private constructor(private readonly journal: Journal<Record>) {}

  static async open(path: string): Promise<Records> {
    const { journal, records } = await Journal.open<Record>(path);
    const all = new Records(journal);
    for (const record of records) all.memory.learn(record);
    return all;
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  entryOf(entry: Pick<Entry, 'operation' | 'key' | 'amount' | 'card'>, { response }: Answer): Entry {
    const refused = response === APPROVED ? undefined : declines[response];
    const [sequence, time] = [this.memory.entries.length + 1, new Date().toISOString()];
    return { sequence, time, ...entry, outcome: refused ? codeOf(refused) : 'approved' };
  }

  /** Whatever goes on under a key is over, and on the disk. */
  async settled(key: string): Promise<void> {
    for (let written = this.pending.get(key); written; written = this.pending.get(key)) await written;
  }

  /** Remembered at once, so that the next order sees it; over when it is on the disk. */
  write(record: Record, key?: string): Promise<void> {
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
