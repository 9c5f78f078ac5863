/**
 * Recorded histories replay under this program: those of its own runs, and below `earlier` those of runs that an
 * earlier program began. `npm run histories` records the former.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { fromRoot } from '../../src/platform/root';

const folder = fromRoot('test/workflows/histories');
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.json'))
  .map(file => file.replace(/\.json$/, ''));
const options = { workflowBundle: { codePath: fromRoot('dist/workflows/bundle.js') } };
const historyOf = (name: string) => historyFromJSON(JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')));

beforeAll(() =>
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  }),
);

it.each(names)('%s', async name => {
  await Worker.runReplayHistory(options, historyOf(name), `subscription-${name}`);
});

it('a history that this program would not have made is refused', async () => {
  const [history] = names
    .map(historyOf)
    .filter(({ events }) => events?.some(event => event.timerStartedEventAttributes));
  expect(history).toBeDefined();
  const withoutTimers = (event: { timerStartedEventAttributes?: unknown; timerFiredEventAttributes?: unknown }) =>
    !event.timerStartedEventAttributes && !event.timerFiredEventAttributes;
  const other = { ...history, events: history?.events?.filter(withoutTimers) };
  await expect(Worker.runReplayHistory(options, other, 'subscription-other')).rejects.toThrow();
});
