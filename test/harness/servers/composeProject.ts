/** docker-compose.yml in a real engine, as a project of its own. */
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { fromRoot } from '../../../src/platform/root';
import { atTheEnd } from '../flow/atTheEnd';
import { temporaryFile } from '../flow/temporaryFile';
import { secrets } from '../world/secrets';
import { testPort } from './port';

/** Whether a Docker engine answers, and Compose is installed. */
export const hasEngine = (): boolean => spawnSync('docker', ['compose', 'ls']).status === 0;

/** The API is at a port of the test. Other ports of the Compose file are not published. */
export class ComposeProject {
  private readonly name = `recaudo-test-${randomBytes(4).toString('hex')}`;
  private constructor(
    readonly url: string,
    private readonly file: string,
    /** Variables of Compose commands. */
    readonly env: Record<string, string>,
  ) {}

  static async create(
    env: Record<string, string> = {},
    services: Record<string, object> = {},
  ): Promise<ComposeProject> {
    const port = await testPort();
    const unpublished = { ports: [] };
    const override = stringify({
      services: {
        api: { ports: [`127.0.0.1:${port}:3000`] },
        simulator: unpublished,
        'temporal-ui': unpublished,
        ...services,
      },
      // Compose would otherwise add these ports to those of the file.
    }).replaceAll('ports:', 'ports: !override');
    const url = `http://127.0.0.1:${port}`;
    const { VAULT_KEYS, VAULT_FINGERPRINT_KEY } = secrets;
    const project = new ComposeProject(url, temporaryFile('override.yml', override), {
      VAULT_KEYS,
      VAULT_FINGERPRINT_KEY,
      ...env,
    });
    atTheEnd(() => project.run('down', '--volumes', '--timeout', '60'));
    return project;
  }

  /** Runs a Compose command and returns what it prints. */
  async run(...args: string[]): Promise<string> {
    const { PATH = '', HOME = '', DOCKER_HOST = '', DOCKER_CONFIG = '' } = process.env;
    const own = { PATH, HOME, ...(DOCKER_HOST && { DOCKER_HOST }), ...(DOCKER_CONFIG && { DOCKER_CONFIG }) };
    const files = ['--file', fromRoot('docker-compose.yml'), '--file', this.file, '--env-file', '/dev/null'];
    const { stdout } = await promisify(execFile)(
      'docker',
      ['compose', '--project-name', this.name, '--project-directory', fromRoot(), ...files, ...args],
      { env: { ...own, ...this.env }, maxBuffer: 2 ** 26 },
    );
    return stdout;
  }

  /** Creates the containers with the present variables. */
  async up(...args: string[]): Promise<void> {
    await this.run('up', '--detach', '--quiet-pull', ...args).catch(async error => {
      throw new Error(`${error.message}\n${await this.run('logs', '--tail', '20')}`);
    });
  }
}
