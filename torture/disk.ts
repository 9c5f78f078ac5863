/**
 * A separate disk for PostgreSQL that can be filled: an in-memory file system whose size is set to its usage. Requires root.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync, statfsSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const SIZE_MB = 2048;

export class Disk {
  isFull = false;

  private constructor(readonly path: string) {}

  /** Undefined without permission to mount. */
  static mount(): Disk | undefined {
    const path = mkdtempSync(join(tmpdir(), 'recaudo-disk-'));
    chmodSync(path, 0o711);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0711`, 'tmpfs', path], { stdio: 'ignore' });
      return new Disk(path);
    } catch {
      rmdirSync(path);
      return undefined;
    }
  }

  /** Moves a directory here and replaces it with a link. */
  take(directory: string): void {
    execFileSync('mv', [directory, this.path]);
    symlinkSync(join(this.path, basename(directory)), directory);
  }

  /** The caller repeats this until the fault has an effect, because usage changes. */
  fill(): void {
    this.isFull = true;
    const { blocks, bfree, bsize } = statfsSync(this.path);
    try {
      this.resize(`${(blocks - bfree) * bsize}`);
    } catch {
      // Usage has grown since.
    }
  }

  empty(): void {
    this.resize(`${SIZE_MB}m`);
    this.isFull = false;
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.path]);
    rmdirSync(this.path);
  }

  private resize(size: string): void {
    execFileSync('mount', ['-o', `remount,size=${size}`, this.path], { stdio: 'ignore' });
  }
}
