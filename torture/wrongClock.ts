/** The clock of one process, put forward or back while it runs (libfaketime; Debian's package is `faketime`). */
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

  /** Undefined where there is no libfaketime. */
  static at(file: string): WrongClock | undefined {
    const library = LIBRARIES.find(path => existsSync(path));
    return library === undefined ? undefined : new WrongClock(library, file);
  }

  /** Of the process. Durations stay true, as on a machine whose clock somebody has set wrongly. */
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
