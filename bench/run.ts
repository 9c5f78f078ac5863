/**
 * `npm run bench`: compares the program with raw pg running the same statements, in the same run on the same machine.
 * Without names it runs the benchmarks that take at most 15 minutes together on two cores.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fromRoot } from '../src/platform/root';
import { cards } from './cards';
import { charges } from './charges';
import { customers } from './customers';
import { drain } from './drain';
import { type BenchEnvironment, startBenchEnvironment } from './environment';
import { developmentHerd, herd } from './herd';
import { chargeLists, lists } from './lists';
import { CONNECTIONS } from './measure';
import { mixed } from './mixed';
import { neighbours } from './neighbours';
import { payments } from './payments';
import { peer } from './peer/peer';
import { describeStolen, hostTime } from './processorTime';
import { printRecovery } from './recovery';
import { recoverySample } from './recoverySample';
import { type ResultRow, toTable } from './results';
import { printScale, RECORDED } from './scale';
import { search } from './search';
import { stats } from './stats';
import { webhooks } from './webhooks';

type Benchmark = (environment: BenchEnvironment) => Promise<ResultRow[]>;

const USUAL: Record<string, Benchmark> = { customers, cards, charges, payments, webhooks, stats, herd };
const WHEN_NAMED: Record<string, Benchmark> = {
  lists,
  chargeLists,
  search,
  mixed,
  neighbours,
  drain,
  developmentHerd,
  recoverySample,
  peer,
};

/** Computed in this process. */
const WITHOUT_SERVER: Record<string, () => void> = { scale: () => printScale(RECORDED), recovery: printRecovery };

async function main(names: string[]): Promise<void> {
  const known = { ...USUAL, ...WHEN_NAMED };
  const unknown = names.filter(name => !(name in known) && !(name in WITHOUT_SERVER));
  const all = [...Object.keys(known), ...Object.keys(WITHOUT_SERVER)];
  if (unknown.length > 0) throw new Error(`Unknown benchmark ${unknown.join(', ')}. Use ${all.join(', ')}.`);
  for (const [name, print] of Object.entries(WITHOUT_SERVER)) if (names.includes(name)) print();
  const chosen =
    names.length === 0 ? USUAL : Object.fromEntries(Object.entries(known).filter(([n]) => names.includes(n)));
  if (Object.keys(chosen).length > 0) await measure(chosen);
}

async function measure(benchmarks: Record<string, Benchmark>): Promise<void> {
  const [host, began] = [hostTime(), performance.now()];
  const environment = await startBenchEnvironment();
  const stop = (): void => void environment.down().finally(() => process.exit(1));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const rows: ResultRow[] = [];
    for (const [name, benchmark] of Object.entries(benchmarks)) {
      const start = performance.now();
      rows.push(...(await benchmark(environment)));
      process.stderr.write(`${name}: ${minutesSince(start)}\n`);
    }
    const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${CONNECTIONS} connections, ${describeStolen(host, hostTime())}`;
    const table = toTable(rows);
    console.info(`\n${machine}\n`);
    console.table(table);
    const met = table.filter(({ verdict }) => verdict === 'met').length;
    const missed = table.filter(({ verdict }) => verdict === 'missed').length;
    const total = minutesSince(began);
    console.info(`${met} targets met, ${missed} missed; ${total} in total`);
    writeFileSync(
      fromRoot('bench/result.json'),
      `${JSON.stringify({ machine, date: new Date().toISOString(), total, rows: table }, null, 2)}\n`,
    );
  } finally {
    await environment.down();
  }
}

const minutesSince = (start: number): string => `${((performance.now() - start) / 60_000).toFixed(1)} minutes`;

main(process.argv.slice(2).filter(name => /^[a-z]/i.test(name)));
