/** What happened at the simulated acquirer, in a file that only grows. Nothing is answered before it is on the disk. */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whatever is written survives a kill; what was being written when it came is dropped at the next start. */
export class Journal<T> {
  private waiting: { line: string; done: () => void; failed: (error: unknown) => void }[] = [];
  private writing = Promise.resolve();

  private constructor(private readonly file: FileHandle) {}

  /** Answers the journal and what it holds already. */
  static async open<T>(path: string): Promise<{ journal: Journal<T>; records: T[] }> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a+', 0o600);
    const text = await file.readFile('utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    await file.truncate(Buffer.byteLength(whole));
    const records = whole.split('\n').flatMap(line => (line ? [JSON.parse(line) as T] : []));
    return { journal: new Journal<T>(file), records };
  }

  /** Records that come while the disk is busy are written together. */
  append(record: T): Promise<void> {
    const written = new Promise<void>((done, failed) =>
      this.waiting.push({ line: `${JSON.stringify(record)}\n`, done, failed }),
    );
    if (this.waiting.length === 1) this.writing = this.writing.then(() => this.flush());
    return written;
  }

  async close(): Promise<void> {
    await this.writing;
    await this.file.close();
  }

  private async flush(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    try {
      await this.file.appendFile(batch.map(({ line }) => line).join(''));
      await this.file.datasync();
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
      // What is remembered and what is on the disk now differ: better no acquirer than one that forgets.
      throw error;
    }
  }
}
