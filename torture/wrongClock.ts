/** Changes the clock of a running process (libfaketime; Debian's package is `faketime`). */
import { existsSync, renameSync, writeFileSync } from 'node:fs';

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  machine => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

export class WrongClock {
  private constructor(
    private readonly library: string,
    private readonly file: string,
  ) {
    this.set(0);
  }

  /** Undefined without libfaketime. */
  static at(file: string): WrongClock | undefined {
    const library = LIBRARIES.find(path => existsSync(path));
    return library === undefined ? undefined : new WrongClock(library, file);
  }

  /** Environment of the process. The monotonic clock is not changed. */
  get variables(): Record<string, string> {
    return {
      LD_PRELOAD: this.library,
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  set(minutes: number): void {
    writeFileSync(`${this.file}.new`, `${minutes < 0 ? '' : '+'}${minutes * 60}\n`);
    renameSync(`${this.file}.new`, this.file);
  }
}
