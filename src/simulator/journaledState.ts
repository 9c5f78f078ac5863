/** The journal and what is known from it: written down first, answered afterwards. */
import { APPROVED, declines } from '../acquirer/codes';
import { errorCodeOf } from '../platform/errors';
import { Journal } from './journal';
import { type JournalEntry, type JournalRecord, type SimulatedAnswer, SimulatorState } from './state';

export class JournaledState {
  readonly state = new SimulatorState();
  /** What is on its way to the disk, by key. */
  private readonly pending = new Map<string, Promise<void>>();

  private constructor(private readonly journal: Journal<JournalRecord>) {}

  static async open(path: string): Promise<JournaledState> {
    const { journal, records } = await Journal.open<JournalRecord>(path);
    const all = new JournaledState(journal);
    for (const record of records) all.state.apply(record);
    return all;
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  entryOf(
    entry: Pick<JournalEntry, 'operation' | 'key' | 'amount' | 'card'>,
    { response }: SimulatedAnswer,
  ): JournalEntry {
    const refused = response === APPROVED ? undefined : declines[response];
    const [sequence, time] = [this.state.entries.length + 1, new Date().toISOString()];
    return { sequence, time, ...entry, outcome: refused ? errorCodeOf(refused) : 'approved' };
  }

  /** Whatever goes on under a key is over, and on the disk. */
  async settled(key: string): Promise<void> {
    for (let written = this.pending.get(key); written; written = this.pending.get(key)) await written;
  }

  /** Remembered at once, so that the next order sees it; over when it is on the disk. */
  write(record: JournalRecord, key?: string): Promise<void> {
    this.state.apply(record);
    const written = this.journal.append(record);
    if (key !== undefined) {
      this.pending.set(key, written);
      const over = (): unknown => this.pending.get(key) === written && this.pending.delete(key);
      written.then(over, over);
    }
    return written;
  }
}
