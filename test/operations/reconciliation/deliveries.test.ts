/** Differences that the audit finds in deliveries of webhooks. */
import { deliveriesOfEachStatus } from '../../harness/merchant/oneOfEachKind';
import { testApi } from '../../harness/servers/api';
import { testDamages } from '../../harness/servers/damage';

const api = testApi({ ownWorld: true });
const deliveries = deliveriesOfEachStatus(api);
const delivery = (id: string, change: string) => `update deliveries set ${change} where id = '${id}'`;
const numberOf = (id: string) => `(select sequence from deliveries where id = '${id}')`;

testDamages(api, [
  [
    'a pending delivery that is not queued',
    () => `delete from delivery_queue where delivery_id = '${deliveries.pending}'`,
    /is pending, not queued for its first attempt/,
  ],
  [
    'a delivery that is queued for its first attempt but not pending',
    () => delivery(deliveries.pending, `status = 'failed'`),
    /is failed, queued for its first attempt/,
  ],
  [
    'a pending delivery with a logged attempt',
    () => `insert into delivery_attempts (sequence, number, duration) values (${numberOf(deliveries.pending)}, 1, 1)`,
    /is pending, queued for its first attempt, with 1 logged/,
  ],
  [
    'a delivered delivery without a successful attempt',
    () => delivery(deliveries.failed, `status = 'delivered'`),
    /is delivered, its last attempt got 500/,
  ],
  [
    'a delivery with a successful attempt that is not delivered',
    () => delivery(deliveries.delivered, `status = 'failed'`),
    /is failed, its last attempt got 200/,
  ],
  [
    'a delivery with more attempts than are logged',
    () => delivery(deliveries.retrying, 'attempts = 2'),
    /has 2 attempts, logged: 1/,
  ],
  [
    'a delivery with an attempt that is missing in the log',
    () => `update delivery_attempts set number = 2 where sequence = ${numberOf(deliveries.retrying)}`,
    /has 1 attempts, logged: 2/,
  ],
  [
    'a retrying delivery without a next attempt',
    () => delivery(deliveries.retrying, 'next_at = null'),
    /is retrying, its next attempt is never/,
  ],
  [
    'a failed delivery with a next attempt',
    () => delivery(deliveries.failed, `next_at = '2030-01-01Z'`),
    /is failed, its next attempt is 2030/,
  ],
  [
    'a queued delivery that does not exist',
    () => `insert into delivery_queue (webhook_id, sequence, delivery_id, event_id) values ('w1', 1, 'd1', 'e1')`,
    /d1 is queued after 0 attempts, and is missing/,
  ],
  [
    'a delivery that is queued for an attempt other than the next one',
    () => `update delivery_queue set attempts = 7 where delivery_id = '${deliveries.queuedAgain}'`,
    /is queued after 7 attempts, and is retrying after 1/,
  ],
  [
    'a failed delivery that is queued',
    () => delivery(deliveries.queuedAgain, `status = 'failed', next_at = null`),
    /is queued after 1 attempts, and is failed after 1/,
  ],
  [
    'an attempt without a delivery',
    () => `insert into delivery_attempts (sequence, number, duration) values (0, 1, 1)`,
    /attempt 1 of 0 belongs to no delivery/,
  ],
]);
