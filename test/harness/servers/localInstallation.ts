import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStartTime } from '../../../src/embedded/childProcesses';
import type { Credentials } from '../../../src/embedded/credentials';
import { freePort } from '../../../src/embedded/savedPorts';
import { canaries } from '../cards/canaries';
import { Program } from './program';

/** A place where `npm start` may live: DATA_DIR and PORT of its own, gone after the tests. */
export class Home {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'recaudo-home-'));
  private static readonly all: Home[] = [];

  private constructor(readonly port: number) {
    Home.all.push(this);
  }

  static async make(): Promise<Home> {
    return new Home(await freePort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  start(env: Record<string, string> = {}, command: 'embedded' | 'npm start' = 'embedded'): Program {
    return new Program(command, { DATA_DIR: this.dataDir, PORT: `${this.port}`, ...env });
  }

  async json<T = Credentials>(file = 'credentials.json'): Promise<T> {
    return JSON.parse(await readFile(join(this.dataDir, file), 'utf8'));
  }

  /** The process of a part, as the launcher recorded it. */
  async process(name: string): Promise<{ pid: number; born: string }> {
    return this.json(`processes/${name}.json`);
  }

  static removeAll(): void {
    const found = Home.all.flatMap(({ dataDir }) => canaries.inFiles(dataDir));
    for (const { dataDir } of Home.all) rmSync(dataDir, { recursive: true, force: true });
    expect(found).toEqual([]);
  }
}

export const isRunning = ({ pid, born }: { pid: number; born: string }): boolean => processStartTime(pid) === born;

/** A first start; the test file's afterAll ends whatever a failed test left. */
export function cleanUpAfterwards(): void {
  afterAll(async () => {
    await Program.stopAll();
    Home.removeAll();
  });
}
