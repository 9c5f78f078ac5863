/** The settlement reports of the simulated acquirer: contents, times, and delivery despite failures. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import pino from 'pino';
import type { ReportPart } from '../../../src/gateway/acquirer/settlementReport';
import { isSigned } from '../../../src/gateway/acquirer/signature';
import { Journal } from '../../../src/local/simulator/journal';
import { Notifier } from '../../../src/local/simulator/notifier';
import type { OrderedOperation } from '../../../src/local/simulator/operations';
import { ReportSender } from '../../../src/local/simulator/settlement/sender';
import { SimulatedAcquirer } from '../../../src/local/simulator/simulatedAcquirer';
import { canary } from '../../harness/cards/canaries';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { secrets } from '../../harness/world/secrets';

const log = pino({ level: 'silent' });
const DAY_MS = 86_400_000;

async function testSimulator() {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-settlement-'));
  atTheEnd(() => rmSync(directory, { recursive: true }));
  const open = async () => {
    const acquirer = await SimulatedAcquirer.open(join(directory, 'journal'), secrets.ACQUIRER_KEY);
    atTheEnd(() => acquirer.close());
    return acquirer;
  };
  const acquirer = await open();
  const perform = (operation: OrderedOperation, key: string, more: object = {}) =>
    acquirer.perform(operation, {
      key,
      amount: 1000,
      ...(operation === 'charge' || operation === 'authorize'
        ? { card: { number: canary.visa, reference: 'k1' } }
        : {}),
      date: '2031-03-01T12:00:00.000Z',
      payee: { merchant: 'm1', environment: 'sandbox' },
      ...more,
    });
  return { acquirer, open, perform, reports: () => acquirer.reports.unaccepted() };
}

/** A gateway of one or more environments with the given responses. */
async function testGateway(answers: Record<string, (part: ReportPart) => number>) {
  const parts: ReportPart[] = [];
  const server = fastify();
  for (const [environment, answer] of Object.entries(answers))
    server.post(`/${environment}/settlement`, async (request, reply) => {
      const { signature } = request.headers as { signature?: string };
      expect(isSigned(secrets.ACQUIRER_KEY, signature, JSON.stringify(request.body))).toBe(true);
      const status = answer(request.body as ReportPart);
      if (status === 204) parts.push(request.body as ReportPart);
      return reply.status(status).send();
    });
  await server.listen({ port: 0, host: '127.0.0.1' });
  atTheEnd(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  const urls = Object.keys(answers).map(environment => `http://127.0.0.1:${port}/${environment}/acquirer`);
  const sender = (acquirer: SimulatedAcquirer) => {
    const notifier = new Notifier(acquirer.payers, () => urls, secrets.ACQUIRER_KEY, log);
    const reportSender = new ReportSender(acquirer.reports, notifier, log);
    atTheEnd(() => reportSender.close());
    return reportSender;
  };
  return { parts, sender };
}

describe('a report', () => {
  it('lists each approved, captured, refunded, paid and charged-back amount once, and nothing else', async () => {
    const { acquirer, perform, reports } = await testSimulator();
    await perform('charge', 't1');
    await perform('charge', 't2', { card: { number: '4222222222222220', reference: 'k2' } });
    await perform('charge', 't3');
    await acquirer.reverse('t3');
    await perform('authorize', 't4');
    await perform('authorize', 't5');
    await perform('capture', 't5-capture-1', { of: 't5', amount: 600 });
    await perform('refund', 't6', { of: 't1', amount: 300 });
    await perform('refund', 't7', { of: 't1', amount: 300 });
    await acquirer.reverse('t7');
    await perform('voucher', 't8');
    await perform('voucher', 't9');
    await acquirer.payers.decide('t8', true);
    await acquirer.payers.decide('t9', false);
    await perform('charge', 'ta-pay-2');
    await acquirer.reports.recordChargeback('t1');
    await acquirer.reports.recordChargeback('ta');
    await acquirer.reports.recordChargeback('tx');
    await acquirer.reports.forgetChargeback('ta');
    await acquirer.reports.settle('m1', new Date('2031-03-03T00:00:00Z'));
    const [report, ...others] = reports();
    expect(others).toEqual([]);
    expect(report).toMatchObject({ id: '2031-03-01-m1-1', day: '2031-03-01', date: '2031-03-02T11:00:00.000Z' });
    expect(report?.items.map(({ type, key, amount }) => `${type} ${key} ${amount}`)).toEqual([
      'charge t1 1000',
      'charge t5-capture-1 600',
      'refund t6 -300',
      'charge t8-paid 1000',
      'charge ta-pay-2 1000',
      'chargeback t1 -700',
    ]);
    expect(new Set(report?.items.map(({ merchant }) => merchant))).toEqual(new Set(['m1']));
  });

  it('covers each day that has ended, for this merchant, and each requested day', async () => {
    const { acquirer, perform, reports } = await testSimulator();
    await perform('charge', 't1', { date: '2031-03-02T04:59:59.000Z' });
    await perform('charge', 't2', { date: '2031-03-02T05:00:00.000Z' });
    await perform('charge', 't3', { payee: { merchant: 'm2', environment: 'sandbox' } });
    await perform('charge', 't4');
    const made = async (until: string, transactions?: string[]) => {
      await acquirer.reports.settle('m1', new Date(until), transactions);
      return reports().map(({ id, items }) => `${id}: ${items.map(({ key }) => key)}`);
    };
    expect(await made('2031-03-02T10:59:59Z')).toEqual([]);
    expect(await made('2031-03-02T11:00:00Z', ['t4'])).toEqual(['2031-03-01-m1-1: t4']);
    const all = ['2031-03-01-m1-1: t4', '2031-03-01-m1-2: t1', '2031-03-02-m1-1: t2'];
    expect(await made('2031-04-01T00:00:00Z')).toEqual(all);
    expect(await made('2031-04-01T00:00:00Z')).toEqual(all);
  });

  it('requested twice concurrently lists everything once', async () => {
    const { acquirer, perform, reports } = await testSimulator();
    for (const day of [1, 2, 3, 4, 5]) await perform('charge', `t${day}`, { date: `2031-03-0${day}T12:00:00.000Z` });
    const until = new Date('2031-04-01T00:00:00Z');
    await Promise.all([1, 2, 3].map(() => acquirer.reports.settle('m1', until)));
    expect(
      reports()
        .flatMap(({ items }) => items.map(({ key }) => key))
        .sort(),
    ).toEqual(['t1', 't2', 't3', 't4', 't5']);
  });

  it('is split into several when its total exceeds the numbers of JSON', async () => {
    const { acquirer, perform, reports } = await testSimulator();
    const amount = 999_999_999_999_999;
    for (const key of Array.from({ length: 12 }, (_, i) => `t${i}`)) await perform('charge', key, { amount });
    await acquirer.reports.settle('m1', new Date('2031-04-01T00:00:00Z'));
    expect(reports().map(({ id, items }) => [id, items.length])).toEqual([
      ['2031-03-01-m1-1', 9],
      ['2031-03-01-m1-2', 3],
    ]);
  });

  it('for a real morning has the entries recorded until midnight, with any date, by environment', async () => {
    const { acquirer, perform, reports } = await testSimulator();
    const start = Date.now();
    await perform('charge', 't1', { date: '2040-01-01T00:00:00.000Z' });
    await perform('charge', 't2', { payee: { merchant: 'm2', environment: 'sandbox' } });
    await perform('charge', 't3', { payee: { merchant: 'm3', environment: 'production' } });
    await acquirer.reports.settleMorning(start);
    expect(reports()).toEqual([]);
    await acquirer.reports.settleMorning(Date.now() + 2 * DAY_MS);
    expect(reports().map(({ items }) => items.map(({ key }) => key))).toEqual([['t1', 't2'], ['t3']]);
    await acquirer.reports.settleMorning(Date.now() + 3 * DAY_MS);
    expect(reports()).toHaveLength(2);
  });

  it('is the same after a restart, and its items are not reported again', async () => {
    const { acquirer, open, perform, reports } = await testSimulator();
    await perform('charge', 't1');
    await acquirer.reports.settle('m1', new Date('2032-01-01T00:00:00Z'));
    await perform('charge', 't2');
    const reopened = await open();
    expect(reopened.reports.unaccepted()).toEqual(reports());
    await reopened.reports.settle('m1', new Date('2032-01-01T00:00:00Z'));
    expect(reopened.reports.unaccepted().map(({ id, items }) => `${id} ${items.map(({ key }) => key)}`)).toEqual([
      '2031-03-01-m1-1 t1',
      '2031-03-01-m1-2 t2',
    ]);
  });
});

describe('delivery of reports', () => {
  it('continues until the gateway accepts, uses the environment of the merchants, and splits into parts of 5,000', async () => {
    const { acquirer, perform, reports } = await testSimulator();
    await Promise.all(Array.from({ length: 5001 }, (_, i) => perform('charge', `t${i}`)));
    await acquirer.reports.settle('m1', new Date('2032-01-01T00:00:00Z'));
    let failures = 2;
    const { parts, sender } = await testGateway({
      other: () => 404,
      sandbox: () => (failures-- > 0 ? 503 : 204),
    });
    sender(acquirer).kick();
    await until(() => reports().length === 0);
    expect(parts.map(({ part, items }) => [part, items.length])).toEqual([
      [1, 5000],
      [2, 1],
    ]);
    expect(parts[1]).toMatchObject({ id: '2031-03-01-m1-1', parts: 2, count: 5001, total: 5_001_000 });
  });

  it('continues after a restart, and ends if the gateway has a report with the same ID and other contents', async () => {
    const { acquirer, open, perform } = await testSimulator();
    await perform('charge', 't1');
    await acquirer.reports.settle('m1', new Date('2032-01-01T00:00:00Z'));
    const reopened = await open();
    let asked = 0;
    const { parts, sender } = await testGateway({
      sandbox: () => {
        asked += 1;
        return 412;
      },
    });
    sender(reopened).resume();
    await until(() => reopened.reports.unaccepted().length === 0);
    expect([asked, parts]).toEqual([1, []]);
  });

  it('waits until a report is on disk, because a killed simulator would report the same items again', async () => {
    const { acquirer, perform, reports } = await testSimulator();
    await perform('charge', 't1');
    let finishWriting = (): void => undefined;
    const append = jest.spyOn(Journal.prototype, 'append').mockReturnValueOnce(
      new Promise(resolve => {
        finishWriting = resolve;
      }),
    );
    const settling = acquirer.reports.settle('m1', new Date('2032-01-01T00:00:00Z'));
    expect([append.mock.calls.length, reports()]).toEqual([1, []]);
    append.mockRestore();
    finishWriting();
    await settling;
    expect(reports()).toMatchObject([{ id: '2031-03-01-m1-1', items: [{ key: 't1' }] }]);
  });
});
