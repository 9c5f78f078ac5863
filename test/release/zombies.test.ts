/** A container whose init process does not reap its children: killed processes remain as zombies. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlockCluster } from '../../src/local/postgres/unlockCluster';
import { fromRoot } from '../../src/platform/root';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { until } from '../harness/flow/until';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { getUntil } from '../harness/servers/program';
import { temporalAddress } from '../harness/world/temporal';

cleanUpAfterAll();

/** Becomes the parent of every orphan below it (PR_SET_CHILD_SUBREAPER), like the first process of a container. */
const PRCTL = process.arch === 'arm64' ? 167 : 157;
const ADOPT_ORPHANS = `syscall(${PRCTL}, 36, 1, 0, 0, 0) == 0 or die; fork or exec @ARGV; sleep 1 while 1`;

const stateOf = (pid: number): string | undefined => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];

it('npm start works again after all processes were killed and the old server is a zombie', async () => {
  const installation = await LocalInstallation.create();
  const variables = {
    DATA_DIR: installation.dataDir,
    PORT: `${installation.port}`,
    TEMPORAL_ADDRESS: temporalAddress(),
  };
  const { PATH = '', HOME = '' } = process.env;
  const launcher = [process.execPath, fromRoot('dist/src/programs/embedded.js')];
  const init = spawn('perl', ['-e', ADOPT_ORPHANS, ...launcher], {
    env: { PATH, HOME, ...variables },
    stdio: 'ignore',
  });
  const records = join(installation.dataDir, 'processes');
  const killAll = (): void => {
    for (const file of readdirSync(records))
      try {
        process.kill(JSON.parse(readFileSync(join(records, file), 'utf8')).pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
  };
  atTheEnd(() => init.kill('SIGKILL'));
  atTheEnd(killAll);
  await getUntil(`${installation.url}/health`, 200);
  const lockFile = join(installation.dataDir, 'postgres', 'postmaster.pid');
  const { pid, born } = await installation.readProcessRecord('postgres');

  // The lock file is kept while the server runs, and when the process ID belongs to another process.
  await unlockCluster(installation.dataDir, join(installation.dataDir, 'postgres'));
  expect(existsSync(lockFile)).toBe(true);

  process.kill((await installation.readProcessRecord('launcher')).pid, 'SIGKILL');
  killAll();
  await until(() => stateOf(pid) === 'Z');
  expect(Number(readFileSync(lockFile, 'utf8').split('\n')[0])).toBe(pid);
  const record = join(records, 'postgres.json');
  const ours = readFileSync(record, 'utf8');
  writeFileSync(record, JSON.stringify({ ...JSON.parse(ours), born: `${born}0` }));
  await unlockCluster(installation.dataDir, join(installation.dataDir, 'postgres'));
  expect(existsSync(lockFile)).toBe(true);
  writeFileSync(record, ours);

  const again = installation.start({ TEMPORAL_ADDRESS: temporalAddress() });
  await again.waitForOutput('recaudo is up');
  await getUntil(`${installation.url}/health`, 200);
  expect(await again.stop()).toBe(0);
  expect(readdirSync(records)).toEqual([]);
});
