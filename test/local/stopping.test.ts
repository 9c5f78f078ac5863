import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryUntilAnswered } from '../../src/local/processes/managedProcess';
import { eventually } from '../harness/flow/until';
import { cleanUpAfterAll, isRunning, LocalInstallation } from '../harness/servers/localInstallation';

cleanUpAfterAll();

/** Command lines of running processes that contain this directory. */
const commandsNaming = (directory: string): string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    })
    .filter(command => command.includes(directory));

describe('npm start, stopped', () => {
  it('exits with 0 and leaves no process when npm gets SIGINT while it is still starting', async () => {
    const installation = await LocalInstallation.create();
    const npm = installation.start({}, 'npm start');
    const processes = [
      await eventually(() => installation.readProcessRecord('postgres')),
      await eventually(() => installation.readProcessRecord('worker')),
    ];
    expect(await npm.stop('SIGINT')).toBe(0);
    expect(processes.map(isRunning)).toEqual([false, false]);
    expect(readdirSync(join(installation.dataDir, 'processes'))).toEqual([]);
    expect(commandsNaming(installation.dataDir)).toEqual([]);
  });

  it('starts nothing more when it is stopped in its first moments', async () => {
    const installation = await LocalInstallation.create();
    const launcher = installation.start();
    // The launcher writes its record first, and then looks for its Temporal server.
    await retryUntilAnswered(() => installation.readProcessRecord('launcher'));
    expect(await launcher.stop()).toBe(0);
    expect(readdirSync(join(installation.dataDir, 'processes'))).toEqual([]);
    expect(commandsNaming(installation.dataDir)).toEqual([]);
  });
});
