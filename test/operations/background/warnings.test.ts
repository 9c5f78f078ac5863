/** Each warning names its object, so that operators need not search the database. */
import pino from 'pino';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { runOutboxLoop } from '../../../src/operations/background/outbox';
import { recover } from '../../../src/operations/background/recovery';
import { Wakeups } from '../../../src/operations/background/wakeups';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { ORDINARY_CHARGE } from '../../harness/cards/testCards';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { abandonCharge } from '../../harness/merchant/abandonCharge';
import { testCharges } from '../../harness/merchant/charges';
import { secrets, vault } from '../../harness/world/secrets';

const { api, db, pay, shop } = testCharges({ ownWorld: true });

function listeningLog() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({ level: 'warn' }, { write: line => void lines.push(JSON.parse(line)) }) };
}

it('the recovery names the transaction, its merchant, and the request that the acquirer did not answer', async () => {
  const { lines, log } = listeningLog();
  const id = await abandonCharge(db(), (await pay({ order_id: 'left' })).body.id);
  const away = new HttpAcquirer({ url: 'http://127.0.0.1:1', key: secrets.ACQUIRER_KEY, vault, log });
  atTheEnd(() => away.close());
  expect(await recover(db(), { sandbox: away }, log)).toBe(1);
  expect(lines).toMatchObject([
    { msg: 'acquirer: no answer: ECONNREFUSED', request: `/operations/${id}` },
    { msg: 'recovery: outcome unknown, retrying: ECONNREFUSED', transaction: id, merchant: api.merchants().own.id },
  ]);
});

it('the acquirer client names the key of its request, and nothing else of the request', async () => {
  const { lines, log } = listeningLog();
  const card_id = await shop.newCard('/cards');
  const card = await db().card.findUniqueOrThrow({ where: { id: card_id } });
  const away = new HttpAcquirer({ url: 'http://127.0.0.1:1', key: secrets.ACQUIRER_KEY, vault, log });
  atTheEnd(() => away.close());
  const sealed = { ...card, number_sealed: card.number_sealed as Uint8Array<ArrayBuffer> };
  await expect(away.charge('t0000000000000000001', sealed, 100n as never, ORDINARY_CHARGE)).rejects.toThrow();
  expect(lines).toHaveLength(1);
  expect(lines).toMatchObject([{ msg: 'acquirer: no answer: ECONNREFUSED', request: '/charge t0000000000000000001' }]);
});

it('the outbox names the kind and the object of its entry', async () => {
  const { lines, log } = listeningLog();
  const stop = new AbortController();
  await db().outbox.create({ data: { kind: 'nudge', object_id: 's0000000000000000001', environment: 'sandbox' } });
  const handlers = { nudge: () => Promise.reject(new Error('Temporal is away')) };
  const draining = runOutboxLoop(
    db(),
    [{ handlers, maxBatchRows: 10, leaseSeconds: 20, maxBackoffSeconds: 5 }],
    BOTH_ENVIRONMENTS,
    new Wakeups(),
    log,
    stop.signal,
  );
  await until(() => lines.length > 0);
  stop.abort();
  await draining;
  expect(lines).toMatchObject([
    { msg: 'outbox: dispatch failed, retrying: nudge s0000000000000000001: Temporal is away' },
  ]);
});
