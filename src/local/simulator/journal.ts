/** The simulated acquirer's append-only journal. Responses are sent after the record is on disk. */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Complete records survive a kill; a partial last line is dropped at the next start. */
export class Journal<T> {
  private queue: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  private writing = Promise.resolve();
  private isClosed = false;

  private constructor(private readonly file: FileHandle) {}

  /** Returns the journal and its existing records. */
  static async open<T>(path: string): Promise<{ journal: Journal<T>; records: T[] }> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a+', 0o600);
    const text = await file.readFile('utf8');
    const completeLines = text.slice(0, text.lastIndexOf('\n') + 1);
    await file.truncate(Buffer.byteLength(completeLines));
    const records = completeLines.split('\n').flatMap(line => (line ? [JSON.parse(line) as T] : []));
    return { journal: new Journal<T>(file), records };
  }

  /** Batches records that arrive during a write. */
  append(record: T): Promise<void> {
    // Behaves as a dead process: no record is written, so no response is sent.
    if (this.isClosed) return new Promise(() => undefined);
    const written = new Promise<void>((resolve, reject) =>
      this.queue.push({ line: `${JSON.stringify(record)}\n`, resolve, reject }),
    );
    if (this.queue.length === 1) this.writing = this.writing.then(() => this.flush());
    return written;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.writing;
    await this.file.close();
  }

  private async flush(): Promise<void> {
    const batch = this.queue;
    this.queue = [];
    try {
      await this.file.appendFile(batch.map(({ line }) => line).join(''));
      await this.file.datasync();
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
      // Memory and disk now differ: crash, so that a restart does not lose operations.
      throw error;
    }
  }
}
