import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Credentials } from '../../../src/local/credentials';
import { processStartTime } from '../../../src/local/processes/childProcesses';
import { canaries } from '../cards/canaries';
import { testPort } from './port';
import { Program } from './program';

/** A DATA_DIR and a PORT for `npm start`, removed after the tests. */
export class LocalInstallation {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'recaudo-home-'));
  private static readonly created: LocalInstallation[] = [];

  private constructor(readonly port: number) {
    LocalInstallation.created.push(this);
  }

  static async create(): Promise<LocalInstallation> {
    return new LocalInstallation(await testPort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  start(env: Record<string, string> = {}, command: 'embedded' | 'npm start' = 'embedded', args?: string[]): Program {
    return new Program(command, { DATA_DIR: this.dataDir, PORT: `${this.port}`, ...env }, args);
  }

  async readJson<T = Credentials>(file = 'credentials.json'): Promise<T> {
    return JSON.parse(await readFile(join(this.dataDir, file), 'utf8'));
  }

  /** The process of one part, as the launcher recorded it. */
  async readProcessRecord(name: string): Promise<{ pid: number; born: string }> {
    return this.readJson(`processes/${name}.json`);
  }

  static removeAll(): void {
    const leaks = LocalInstallation.created.flatMap(({ dataDir }) => canaries.inFiles(dataDir));
    for (const { dataDir } of LocalInstallation.created) rmSync(dataDir, { recursive: true, force: true });
    expect(leaks).toEqual([]);
  }
}

export const isRunning = ({ pid, born }: { pid: number; born: string }): boolean => processStartTime(pid) === born;

/** Call once in a test file: removes everything that its tests leave behind. */
export function cleanUpAfterAll(): void {
  afterAll(() => LocalInstallation.removeAll());
}
