/** One poll serves all groups of the outbox; each group is dispatched on its own. */
import pino from 'pino';
import { type OutboxGroup, runOutboxLoop } from '../../../src/operations/background/outbox';
import { Wakeups } from '../../../src/operations/background/wakeups';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import type { OutboxKind } from '../../../src/platform/database/outbox';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { testDatabase } from '../../harness/servers/database';

const database = testDatabase();
const silent = pino({ level: 'silent' });

const groupOf = (handlers: OutboxGroup['handlers']): OutboxGroup => ({
  handlers,
  maxBatchRows: 10,
  leaseSeconds: 600,
  maxBackoffSeconds: 5,
});

function run(groups: OutboxGroup[]): Wakeups {
  const [stop, wakeups] = [new AbortController(), new Wakeups()];
  const running = runOutboxLoop(database.db(), groups, BOTH_ENVIRONMENTS, wakeups, silent, stop.signal);
  atTheEnd(() => {
    stop.abort();
    wakeups.wake();
    return running;
  });
  return wakeups;
}

const queue = (kind: OutboxKind, object_id: string, again_at = new Date(0)) =>
  database.db().outbox.create({ data: { kind, object_id, environment: 'sandbox', again_at } });
const rowsOf = (kind: OutboxKind) => database.db().outbox.count({ where: { kind } });

it('a group whose handler does not return delays no other group, and takes its own next rows afterwards', async () => {
  let release = (): void => undefined;
  const stuck = new Promise<void>(resolve => {
    release = resolve;
  });
  const mails: string[] = [];
  const nudges: string[] = [];
  const sendMail = (id: string): Promise<void> => {
    mails.push(id);
    return stuck;
  };
  run([
    groupOf({ payment_mail: sendMail }),
    groupOf({ nudge: async id => nudges.push(id), expiry: async () => queue('nudge', 'after an expiry') }),
  ]);
  await queue('payment_mail', 'first');
  await until(() => mails.length === 1);
  await queue('payment_mail', 'second');
  await queue('nudge', 'meanwhile');
  await queue('expiry', 'x');
  await queue('nudge', 'tomorrow', new Date(Date.now() + 86_400_000));
  await until(() => nudges.length === 2);
  expect(nudges).toEqual(expect.arrayContaining(['meanwhile', 'after an expiry']));
  expect(mails).toEqual(['first']);
  release();
  await until(() => mails.length === 2);
  await until(async () => (await rowsOf('payment_mail')) === 0);
  await until(async () => (await rowsOf('nudge')) === 1);
});

it('a group whose target is away delays no other group, and is retried', async () => {
  let tries = 0;
  const ended: string[] = [];
  run([
    groupOf({
      merchant: async () => {
        tries += 1;
        if (ended.length === 0) throw new Error('away');
      },
    }),
    groupOf({ hold: async id => ended.push(id) }),
  ]);
  await queue('merchant', 'm');
  await until(() => tries > 0);
  await queue('hold', 'h');
  await until(async () => ended.length === 1 && (await rowsOf('merchant')) === 0);
  expect(tries).toBeGreaterThan(1);
});
