/**
 * `npm run bench`: compares the program with raw pg running the same statements, in the same run on the same machine.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fromRoot } from '../src/platform/root';
import { cards } from './cards';
import { charges } from './charges';
import { customers } from './customers';
import { drain } from './drain';
import { startBenchEnvironment } from './environment';
import { herd } from './herd';
import { chargeLists, lists } from './lists';
import { CONNECTIONS, type ResultRow } from './measure';
import { mixed } from './mixed';
import { neighbours } from './neighbours';
import { payments } from './payments';
import { describeStolen, hostTime } from './processorTime';
import { search } from './search';
import { sleeping } from './sleeping/sleeping';
import { stats } from './stats';
import { subscriptions } from './subscriptions';
import { webhooks } from './webhooks';

async function main(): Promise<void> {
  const began = hostTime();
  const environment = await startBenchEnvironment();
  const stop = (): void => void environment.down().finally(() => process.exit(1));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const requested = process.argv.slice(2).filter(name => /^[a-z]/i.test(name));
    const rows: ResultRow[] = [];
    const everything = {
      customers,
      lists,
      cards,
      charges,
      payments,
      chargeLists,
      subscriptions,
      herd,
      drain,
      webhooks,
      neighbours,
      mixed,
      stats,
      search,
    };
    const onlyWhenNamed = { sleeping };
    for (const [name, bench] of Object.entries({ ...everything, ...onlyWhenNamed })) {
      const isRequested = requested.includes(name) || (name === 'drain' && requested.includes('herd'));
      if (requested.length === 0 ? name in everything : isRequested) rows.push(...(await bench(environment)));
    }
    const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${CONNECTIONS} connections, ${describeStolen(began, hostTime())}`;
    console.info(`\n${machine}\n`);
    console.table(rows.map(row => ({ ...row, ratio: Number(row.ratio.toFixed(2)) })));
    writeFileSync(
      fromRoot('bench/result.json'),
      `${JSON.stringify({ machine, date: new Date().toISOString(), rows }, null, 2)}\n`,
    );
  } finally {
    await environment.down();
  }
}

main();
