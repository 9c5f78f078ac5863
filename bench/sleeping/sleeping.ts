/**
 * Storage of sleeping subscriptions in Temporal's production server and in our database, and their wake-up times. The
 * originals are created through the API, with zero to eleven renewals. All other subscriptions are copies of their rows
 * (`copies.ts`); some copies are woken and charged to verify that they work.
 */
import { Client } from 'pg';
import { installProductionTemporal, type ProductionTemporal } from '../../src/local/temporal/production';
import type { BenchEnvironment } from '../environment';
import { countOr, type ResultRow } from '../measure';
import { describeCost, totalCost } from '../processorTime';
import { copySubscriptions, prepare, withoutIndexes } from './copies';
import { type Databases, readOriginals, subscribeAll } from './originals';
import { growthOfEach, type TableSize, tableSizes } from './sizes';
import { say, wake, withPrograms } from './wake';

const COUNT = countOr(10_000);
/** Same value as in docker-compose.yml. */
const SHARDS = 512;
/** From this count on, Temporal's 73 visibility indexes are created after the copies. */
const MAX_COUNT_WITH_INDEXES = 100_000;

export async function sleeping(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { stack, databaseUrl } = environment;
  const options = { dataDir: stack.dataDir, databaseUrl, shards: SHARDS, yields: true };
  const server = await installProductionTemporal(options);
  const databases = await openDatabases(databaseUrl);
  try {
    return await measure(environment, server, databases);
  } finally {
    for (const client of Object.values(databases)) await client.end();
    await stack.find('temporal')?.down();
    await server.dropDatabases();
  }
}

async function measure(environment: BenchEnvironment, server: ProductionTemporal, databases: Databases) {
  const process = await environment.stack.start(server.newProcess());
  // Outside production, webhooks on the same machine are allowed.
  const variables = { ...environment.variables, NODE_ENV: 'development' };
  await withPrograms({ ...environment, variables }, server, request => subscribeAll(environment, request, databases));
  await process.down();

  const originals = await readOriginals(databases, SHARDS);
  const multiply = async (count: number) => {
    const onProgress = (done: number): void => say(`${done} of ${count} copies`);
    return copySubscriptions(databases, originals, { count, shards: SHARDS, onProgress });
  };
  const few = originals.originals.length;
  const alone = await wake(environment, server, databases, await multiply(few));
  const before = await sizesOf(databases);
  const copied =
    COUNT > MAX_COUNT_WITH_INDEXES
      ? await withoutIndexes(databases.visibility, 'executions_visibility', () => multiply(COUNT))
      : await multiply(COUNT);
  const after = await sizesOf(databases);
  for (const name of Object.keys(after) as (keyof Databases)[]) {
    console.info(`\n${name}: each of ${COUNT} sleeping subscriptions`);
    console.table(growthOfEach(before[name], after[name], COUNT));
  }
  const amongMany = await wake(environment, server, databases, copied);
  return [
    {
      what: `${few} wakes by timer among ${COUNT} sleeping: ${describeCost(amongMany.cost)}`,
      per_second: Math.round(amongMany.perSecond),
      beside: `among ${few}: ${describeCost(alone.cost)}`,
      ratio: totalCost(amongMany.cost) / totalCost(alone.cost),
      wanted: '≤ 1.1',
    },
  ];
}

async function openDatabases(databaseUrl: string): Promise<Databases> {
  const open = async (name: string): Promise<Client> => {
    const client = new Client({ connectionString: databaseUrl.replace('/recaudo?', `/${name}?`) });
    client.on('error', () => undefined);
    await client.connect();
    await prepare(client);
    return client;
  };
  return {
    recaudo: await open('recaudo'),
    temporal: await open('temporal'),
    visibility: await open('temporal_visibility'),
  };
}

const sizesOf = async (databases: Databases): Promise<Record<keyof Databases, Record<string, TableSize>>> => ({
  recaudo: await tableSizes(databases.recaudo),
  temporal: await tableSizes(databases.temporal),
  visibility: await tableSizes(databases.visibility),
});
