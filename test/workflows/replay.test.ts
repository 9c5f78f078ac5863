/**
 * Recorded histories replay with this program: its own histories, and those below `earlier`, which began with an older
 * release. `npm run histories` records the program's own histories.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { patchTemporalWorker } from '../../src/platform/patches/temporalWorker';
import { fromRoot } from '../../src/platform/root';
import * as workflows from '../../workflows/all';

const folder = fromRoot('test/workflows/histories');
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.json'))
  .map(file => file.replace(/\.json$/, ''));
const historyOf = (name: string) => historyFromJSON(JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')));

beforeAll(() =>
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  }),
);

it('every kind of workflow has a history', async () => {
  const kinds = names.map(
    name => historyOf(name).events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
  );
  expect([...new Set(kinds)].sort()).toEqual(Object.keys(workflows).sort());
});

const warn = jest.fn();

// The patch stays in this process, and only workflows with its options use it. So the SDK replays first.
describe.each([
  ['the SDK', async () => ({})],
  ['the patched worker', () => patchTemporalWorker({ warn })],
])('%s', (_, patch) => {
  const options = { workflowBundle: { codePath: fromRoot('dist/workflows/bundle.js') } };
  /** By the name of the history; undefined where it replayed. */
  const errors = new Map<string, unknown>();
  beforeAll(async () => {
    Object.assign(options, await patch());
    // One worker for all: each would load the workflow bundle again.
    const histories = names.map(name => ({ workflowId: name, history: historyOf(name) }));
    for await (const { workflowId, error } of Worker.runReplayHistories(options, histories))
      errors.set(workflowId, error);
  });

  it.each(names)('replays %s', name => {
    expect([...errors]).toContainEqual([name, undefined]);
  });

  it('refuses a history that this program would not produce', async () => {
    const [history] = names
      .map(historyOf)
      .filter(({ events }) => events?.some(event => event.timerStartedEventAttributes));
    expect(history).toBeDefined();
    const withoutTimers = (event: { timerStartedEventAttributes?: unknown; timerFiredEventAttributes?: unknown }) =>
      !event.timerStartedEventAttributes && !event.timerFiredEventAttributes;
    const other = { ...history, events: history?.events?.filter(withoutTimers) };
    await expect(Worker.runReplayHistory(options, other, 'subscription-other')).rejects.toThrow();
  });
});

it('the patch is verified for the installed SDK version, and is not applied to another version', async () => {
  expect(warn).not.toHaveBeenCalled();
  expect(await patchTemporalWorker({ warn })).toEqual({ debugMode: true });
  expect(await patchTemporalWorker({ warn }, '1.25.0')).toEqual({});
  expect(warn).toHaveBeenCalledTimes(1);
});
