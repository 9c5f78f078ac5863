/** `npm run bench`: what the program does beside raw pg running the same statements, in the same run, on the same machine. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fromRoot } from '../src/platform/root';
import { cards } from './cards';
import { charges } from './charges';
import { doors } from './doors';
import { chargeLists, lists } from './lists';
import { CONNECTIONS, type Row } from './measure';
import { payments } from './payments';
import { raise } from './stand';
import { subscriptions } from './subscriptions';
import { webhooks } from './webhooks';

async function main(): Promise<void> {
  const stand = await raise();
  try {
    const chosen = process.argv.slice(2);
    const rows: Row[] = [];
    for (const [name, bench] of Object.entries({
      doors,
      lists,
      cards,
      charges,
      payments,
      chargeLists,
      subscriptions,
      webhooks,
    })) {
      if (chosen.length === 0 || chosen.includes(name)) rows.push(...(await bench(stand)));
    }
    const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${CONNECTIONS} connections`;
    console.info(`\n${machine}\n`);
    console.table(rows.map(row => ({ ...row, ratio: Number(row.ratio.toFixed(2)) })));
    writeFileSync(
      fromRoot('bench/result.json'),
      `${JSON.stringify({ machine, date: new Date().toISOString(), rows }, null, 2)}\n`,
    );
  } finally {
    await stand.down();
  }
}

main();
