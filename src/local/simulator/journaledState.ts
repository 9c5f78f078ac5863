/** The simulator's state with its journal. Responses are sent after the journal is written. */
import { APPROVED, errorsByResponseCode } from '../../gateway/acquirer/codes';
import { errorCodeOf } from '../../platform/errors';
import { Journal } from './journal';
import { type JournalEntry, type JournalRecord, type SimulatedAnswer, SimulatorState } from './state';

export class JournaledState {
  readonly state = new SimulatorState();
  /** Unfinished writes by key. */
  private readonly pending = new Map<string, Promise<void>>();

  private constructor(private readonly journal: Journal<JournalRecord>) {}

  static async open(path: string): Promise<JournaledState> {
    const { journal, records } = await Journal.open<JournalRecord>(path);
    const journaled = new JournaledState(journal);
    for (const record of records) journaled.state.apply(record);
    return journaled;
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  buildEntry(
    entry: Pick<JournalEntry, 'operation' | 'key' | 'amount' | 'card'>,
    { response }: SimulatedAnswer,
  ): JournalEntry {
    const decline = response === APPROVED ? undefined : errorsByResponseCode[response];
    const [sequence, time] = [this.state.entries.length + 1, new Date().toISOString()];
    return { sequence, time, ...entry, outcome: decline ? errorCodeOf(decline) : 'approved' };
  }

  /** Resolves when all operations of this key are on disk. */
  async waitForWrites(key: string): Promise<void> {
    for (let written = this.pending.get(key); written; written = this.pending.get(key)) await written;
  }

  /** Applies the record immediately, so that the next order sees it. Resolves when it is on disk. */
  write(record: JournalRecord, key?: string): Promise<void> {
    this.state.apply(record);
    const written = this.journal.append(record);
    if (key !== undefined) {
      this.pending.set(key, written);
      const forget = (): unknown => this.pending.get(key) === written && this.pending.delete(key);
      written.then(forget, forget);
    }
    return written;
  }
}
