/** The receiver accepts signed settlement reports in parts, each part once, and refuses all other requests. */
import { sign } from '../../../src/gateway/acquirer/signature';
import { testCharges } from '../../harness/merchant/charges';
import { testSettlements } from '../../harness/merchant/settlements';
import { errorOf, sendRequest } from '../../harness/servers/api';
import { secrets } from '../../harness/world/secrets';

const { api, newCharge, db } = testCharges({ ownWorld: true });
const { send, item, reportOf, reportRow, match } = testSettlements(api);

const counts = () =>
  Promise.all([
    db().settlementReport.count(),
    db().settlementItem.count(),
    db().outbox.count(),
    db().settlement.count(),
  ]);

describe('POST /notifications/settlement', () => {
  it('fails with 1002 without a valid signature for this body and time, and writes nothing', async () => {
    const before = await counts();
    const body = JSON.stringify(reportOf([item(await newCharge(), 100_000)]));
    const wrong = [
      '',
      'x',
      sign('y'.repeat(40), body),
      sign(secrets.ACQUIRER_KEY, '{}'),
      sign(secrets.ACQUIRER_KEY, body, 0),
    ];
    for (const signature of wrong) expect(errorOf(await send(body, signature))).toBe(1002);
    expect(await counts()).toEqual(before);
  });

  it('fails with 1001 for an invalid or truncated report, and writes nothing', async () => {
    const before = await counts();
    const good = reportOf([item('t1', 1)]);
    const [line] = good.items;
    const text = JSON.stringify(good);
    for (const bad of [
      ...['', '{', 'null', '[]', '5', text.slice(0, -1), text.slice(0, text.length / 2)],
      { ...good, id: 'a b' },
      { ...good, id: '' },
      { ...good, day: '2026-02-30' },
      { ...good, part: 2 },
      { ...good, parts: 0 },
      { ...good, count: -1 },
      { ...good, total: 1.5 },
      { ...good, total: '100' },
      { ...good, items: undefined },
      { ...good, items: [null] },
      { ...good, date: 'yesterday' },
      { ...good, items: [{ ...line, amount: 0 }] },
      { ...good, items: [{ ...line, type: 'gift' }] },
      { ...good, items: [{ ...line, merchant: 5 }] },
      { ...good, items: [{ ...line, key: '' }] },
      { ...good, items: [{ ...line, date: '2026-11-16' }] },
      { ...good, items: Array(5001).fill(line) },
    ])
      expect([bad, errorOf(await send(bad))]).toEqual([bad, 1001]);
    expect(await counts()).toEqual(before);
  });

  it('fails with 1009 for a report that is too large, and with 405 for other methods', async () => {
    expect(errorOf(await send(`"${'x'.repeat(2 * 1024 * 1024)}"`))).toBe(1009);
    expect((await sendRequest(`${api.origin()}/notifications/settlement`, 'GET', {})).status).toBe(405);
  });

  it('fails with 1005 if none of its merchants belongs to this environment', async () => {
    const before = await counts();
    const { production } = api.merchants();
    const foreign = reportOf([item('t1', 1, { merchant: production.id }), item('t2', 1, { merchant: 'm1' })]);
    expect(errorOf(await send(foreign))).toBe(1005);
    const own = reportOf([item('t1', 1)]);
    expect(errorOf(await send(own, undefined, await api.startProduction()))).toBe(1005);
    expect(await counts()).toEqual(before);
  });

  it('responds 204 to a part with unknown merchants if another part has merchants of this environment', async () => {
    const id = await newCharge();
    const whole = { id: 'some-unknown', parts: 2, count: 2, total: 10_000_100 };
    expect((await send(reportOf([item(id, 100_000)], { ...whole, part: 1 }))).status).toBe(204);
    expect((await send(reportOf([item('t1', 1, { merchant: 'm1' })], { ...whole, part: 2 }))).status).toBe(204);
    expect(await match(whole.id)).toBe('matched 1 item, 1 differs');
  });

  it('responds 204 to a repeated part without changes, and 3006 to a part with different contents', async () => {
    const report = reportOf([item(await newCharge(), 100_000)]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(report)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const after = await counts();
    expect((await send({ more: 1, ...report })).status).toBe(204);
    expect(await db().outbox.count({ where: { kind: 'settlement', object_id: (await reportRow(report.id)).id } })).toBe(
      1,
    );
    for (const other of [
      { ...report, total: 1 },
      { ...report, day: '2026-11-15' },
      { ...report, count: 2 },
      { ...report, parts: 2 },
      { ...report, items: report.items.map(line => ({ ...line, amount: 1 })) },
    ])
      expect(errorOf(await send(other))).toBe(3006);
    expect(await counts()).toEqual(after);
    expect(await match(report.id)).toBe('matched 1 item, nothing differs');
    expect((await send(report)).status).toBe(204);
    expect(await match(report.id)).toBe('matched 1 item, nothing differs');
  });

  it('accepts reports with the same ID in both environments', async () => {
    const production = await api.startProduction();
    const report = reportOf([item('t1', 1), item('t1', 1, { merchant: api.merchants().production.id })]);
    expect([(await send(report)).status, (await send(report, undefined, production)).status]).toEqual([204, 204]);
    expect(await db().settlementReport.count({ where: { reference: report.id } })).toBe(2);
  });
});
