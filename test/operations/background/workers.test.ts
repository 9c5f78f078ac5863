/** Worker processes are listed with their builds, and can be drained. */
import { hostname } from 'node:os';
import { eventually } from '../../harness/flow/until';
import { testDatabase } from '../../harness/servers/database';
import { Program } from '../../harness/servers/program';
import { testNamespace } from '../../harness/servers/temporal';
import { apiVariables } from '../../harness/world/secrets';
import { temporalAddress } from '../../harness/world/temporal';

const database = testDatabase();
const namespace = testNamespace();
const workers = () => database.db().workerProcess.findMany({ orderBy: { started_at: 'asc' } });
const start = async () => {
  const worker = new Program('worker', {
    ...apiVariables,
    DATABASE_URL: database.url(),
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace.name,
  });
  await worker.waitForOutput('task queue');
  return worker;
};

it('each worker has a row with its host and build; a drained worker exits with 0, and the other continues', async () => {
  const [first, second] = [await start(), await start()];
  await eventually(async () => expect(await workers()).toHaveLength(2));
  const rows = await workers();
  const own = rows.find(({ pid }) => pid === first.process.pid);
  expect(own).toMatchObject({
    host: hostname(),
    environment: null,
    build: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]{8}$/),
  });
  await database.db().workerProcess.update({ where: { id: own?.id ?? '' }, data: { drain_asked_at: new Date() } });
  expect(await first.exited).toBe(0);
  expect((await workers()).map(({ pid }) => pid)).toEqual([second.process.pid]);
  const { beat_at } = (await workers())[0] ?? { beat_at: new Date() };
  await eventually(async () => expect((await workers())[0]?.beat_at.getTime()).toBeGreaterThan(beat_at.getTime()));
  expect(await second.stop()).toBe(0);
  expect(await workers()).toEqual([]);
});
