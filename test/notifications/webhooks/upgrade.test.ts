/** Deliveries that existed before the migrations of the queue and of the status. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/platform/database/migrations';
import { fromRoot } from '../../../src/platform/root';
import { testDatabase } from '../../harness/servers/database';
import { inDatabase } from '../../harness/world/database';

const database = testDatabase('empty');
const laterDatabase = testDatabase('empty');
const migrations = fromRoot('prisma/migrations');

/** Applies the migrations before this one. */
async function migrateBefore(url: string, name: string): Promise<void> {
  const isOlder = (path: string): boolean => (/\/(\d{14})_/.exec(path)?.[1] ?? '') < name;
  const olderMigrations = await mkdtemp(join(tmpdir(), 'recaudo-migrations-'));
  await cp(migrations, olderMigrations, { recursive: true, filter: isOlder });
  await migrate(url, olderMigrations);
  await rm(olderMigrations, { recursive: true });
}

it('deliveries keep their status, their attempts and their order', async () => {
  await migrateBefore(database.url(), '20261115000008');
  await inDatabase(database.url(), client =>
    client.query(`
      insert into merchants (id, environment, name, email, creation_date) values ('m1', 'sandbox', 'Shop', 'shop@example.com', now());
      insert into webhooks (id, merchant_id, creation_date, url, verification_code, secret_sealed)
      values ('w1', 'm1', now(), 'http://shop.example/', 'code', 'sealed');
      insert into events (id, merchant_id, type, object_id, object, creation_date) values ('e1', 'm1', 'charge.succeeded', 't1', '{}', now());
      insert into deliveries (id, webhook_id, event_id, object_id, status, attempts, next_at) values
        ('d1', 'w1', 'e1', 't1', 'delivered', 2, '2030-01-01Z'), ('d2', 'w1', 'e1', 't1', 'retrying', 1, '2030-01-02Z'),
        ('d3', 'w1', 'e1', 't1', 'new', 0, '2030-01-03Z'), ('d4', 'w1', 'e1', 't1', 'new', 0, '2030-01-04Z');
      insert into delivery_attempts (delivery_id, number, creation_date, status, answer, error, ms) values
        ('d1', 2, '2026-11-01T10:00:10Z', 200, 'thanks', null, 7), ('d1', 1, '2026-11-01T10:00:00Z', null, null, 'nobody there', 5),
        ('d2', 1, '2026-11-01T11:00:00Z', 500, '', null, 9);`),
  );
  await migrate(database.url(), migrations);
  const read = (text: string) => inDatabase(database.url(), async client => (await client.query(text)).rows);
  expect(await read('select id, status, attempts, next_at from deliveries order by id')).toEqual([
    { id: 'd1', status: 'delivered', attempts: 2, next_at: null },
    { id: 'd2', status: 'retrying', attempts: 1, next_at: new Date('2030-01-02Z') },
    { id: 'd3', status: 'pending', attempts: 0, next_at: null },
    { id: 'd4', status: 'pending', attempts: 0, next_at: null },
  ]);
  const log = () =>
    read(`
      select d.id, a.number, a.date, a.status, a.answer, a.error, a.duration
      from delivery_attempts a left join deliveries d using (sequence) order by d.id, a.number`);
  const at = (time: string) => new Date(`2026-11-01T${time}Z`);
  expect(await log()).toEqual([
    { id: 'd1', number: 1, date: at('10:00:00'), status: null, answer: null, error: 'nobody there', duration: 5 },
    { id: 'd1', number: 2, date: at('10:00:10'), status: 200, answer: 'thanks', error: null, duration: 7 },
    { id: 'd2', number: 1, date: at('11:00:00'), status: 500, answer: '', error: null, duration: 9 },
  ]);
  expect(await read('select delivery_id, event_id from delivery_queue order by sequence')).toEqual([
    { delivery_id: 'd3', event_id: 'e1' },
    { delivery_id: 'd4', event_id: 'e1' },
  ]);
  await read(`delete from webhooks where id = 'w1'`);
  expect([await read('select from delivery_queue'), await log()]).toEqual([[], []]);
});

it('what waits for its first attempt is pending, and what arrived at once has had one', async () => {
  await migrateBefore(laterDatabase.url(), '20261116000000');
  await inDatabase(laterDatabase.url(), client =>
    client.query(`
      insert into merchants (id, environment, name, email, creation_date) values ('m1', 'sandbox', 'Shop', 'shop@example.com', now());
      insert into webhooks (id, merchant_id, creation_date, url, verification_code, secret_sealed)
      values ('w1', 'm1', now(), 'http://shop.example/', 'code', 'sealed');
      insert into events (id, merchant_id, type, object_id, object, creation_date) values ('e1', 'm1', 'charge.succeeded', 't1', '{}', now());
      insert into deliveries (id, webhook_id, event_id) values ('d1', 'w1', 'e1'), ('d2', 'w1', 'e1');
      insert into deliveries (id, webhook_id, event_id, status, attempts, next_at) values
        ('d3', 'w1', 'e1', 'retrying', 2, '2030-01-01Z'), ('d4', 'w1', 'e1', 'failed', 1, null);
      delete from delivery_queue where delivery_id <> 'd2';
      insert into delivery_attempts (sequence, number, status, duration)
      select sequence, number, case when id = 'd1' then 200 else 500 end, 1
      from deliveries join (values ('d1', 1), ('d3', 1), ('d3', 2), ('d4', 1)) as logged (id, number) using (id);`),
  );
  await migrate(laterDatabase.url(), migrations);
  const { rows } = await inDatabase(laterDatabase.url(), client =>
    client.query(`
      select d.id, status, d.attempts, next_at, q.attempts as queued
      from deliveries d left join delivery_queue q on q.delivery_id = d.id order by d.id`),
  );
  expect(rows).toEqual([
    { id: 'd1', status: 'delivered', attempts: 1, next_at: null, queued: null },
    { id: 'd2', status: 'pending', attempts: 0, next_at: null, queued: 0 },
    { id: 'd3', status: 'retrying', attempts: 2, next_at: new Date('2030-01-01Z'), queued: null },
    { id: 'd4', status: 'failed', attempts: 1, next_at: null, queued: null },
  ]);
});
