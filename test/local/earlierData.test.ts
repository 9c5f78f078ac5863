import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadPorts } from '../../src/local/savedPorts';
import { Stack } from '../../src/local/stack';
import { createLog } from '../../src/platform/log';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { inDatabase } from '../harness/world/database';
import { temporalAddress } from '../harness/world/temporal';

cleanUpAfterAll();

it('npm start refuses to use the data of a version before 1.0.0, and says what to do', async () => {
  const installation = await LocalInstallation.create();
  const { dataDir, port } = installation;
  const { postgres_port, postgres_password: password } = await loadPorts(dataDir, [port]);
  const stack = new Stack(dataDir, createLog('test'));
  const earlier = `
    create table _prisma_migrations (id varchar(36) primary key, checksum varchar(64), migration_name varchar(255),
      finished_at timestamptz, logs text, rolled_back_at timestamptz, started_at timestamptz, applied_steps_count int);
    insert into _prisma_migrations (id, checksum, migration_name, finished_at)
    values ('1', '', '20261115000000_merchants', now());
    create table merchants (id varchar(45) primary key)`;
  const url = await stack.startPostgres({ port: postgres_port, password });
  try {
    await inDatabase(url, client => client.query(earlier));
  } finally {
    await stack.down();
  }

  const launcher = installation.start({ TEMPORAL_ADDRESS: temporalAddress() });
  expect(await launcher.exited).toBe(1);
  expect(launcher.output.trim().split('\n').at(-1)).toBe(
    `${dataDir} has data of a version before 1.0.0, which cannot be upgraded. Delete this directory and start again.`,
  );
  expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
});
