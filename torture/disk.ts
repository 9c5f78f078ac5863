/**
 * A disk for PostgreSQL alone that can be full: a file system in memory, whose size is set to what is in use. Only root
 * may mount one.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync, statfsSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const SIZE_MB = 2048;

export class Disk {
  isFull = false;

  private constructor(readonly path: string) {}

  /** Undefined where nothing may be mounted. */
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

  /** Moves a directory here, and leaves a link in its place. */
  take(directory: string): void {
    execFileSync('mv', [directory, this.path]);
    symlinkSync(join(this.path, basename(directory)), directory);
  }

  /** Repeated by the caller until it has shown: what is in use grows and shrinks meanwhile. */
  fill(): void {
    this.isFull = true;
    const { blocks, bfree, bsize } = statfsSync(this.path);
    try {
      this.resize(`${(blocks - bfree) * bsize}`);
    } catch {
      // Something was written since: it is too small for what is in use.
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
