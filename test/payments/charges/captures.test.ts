import { captureCharge, resolveCapture } from '../../../src/payments/charges/card/capture';
import { reloadTransaction } from '../../../src/payments/charges/rows';
import { newId } from '../../../src/platform/identifiers';
import { testBackground } from '../../harness/merchant/background';
import { testCharges } from '../../harness/merchant/charges';
import { errorOf } from '../../harness/servers/api';

const { api, shop, pay, refund } = testCharges();
const { acquirer } = testBackground(api);

describe('a charge with capture: false', () => {
  const authorize = async (overrides: object = {}) => (await pay({ capture: false, ...overrides })).body;
  const capture = (id: string, body?: object) => api.rest('POST', `/charges/${id}/capture`, body ? { body } : {});

  it('authorizes the charge and moves no money', async () => {
    const before = await shop.merchantBalance();
    const body = await authorize();
    expect(body).toMatchObject({ status: 'in_progress', authorization: expect.any(String) });
    expect('fee' in body).toBe(false);
    expect(await shop.merchantBalance()).toBe(before);
    expect(shop.journalOf(body.id)).toMatchObject([{ operation: 'authorize', outcome: 'approved' }]);
    expect(await api.database.db().event.findMany({ where: { object_id: body.id } })).toMatchObject([
      { type: 'charge.created' },
    ]);
  });

  it('is captured in whole or in part by POST …/capture', async () => {
    const before = await shop.merchantBalance();
    const whole = await authorize();
    const { status, body } = await capture(whole.id);
    expect([status, body.status, body.amount, body.fee.amount]).toEqual([200, 'completed', 100000, 3800]);
    const part = await authorize();
    const captured = await capture(part.id, { amount: 40000 });
    expect([captured.body.status, captured.body.amount, captured.body.fee.amount]).toEqual(['completed', 40000, 2060]);
    expect(await shop.merchantBalance()).toBeCloseTo(before + 100000 - 4522 + 40000 - 2060 - 391.4);
    expect(errorOf(await capture(part.id))).toBe(3006);
    expect(errorOf(await refund(part.id, { amount: 40000.01 }))).toBe(1003);
    expect((await refund(part.id)).body.status).toBe('refunded');
  });

  it('fails with 1003 for a capture beyond the authorized amount, and can still be captured afterwards', async () => {
    const { id } = await authorize();
    expect(errorOf(await capture(id, { amount: 100000.01 }))).toBe(1003);
    expect((await capture(id)).body.status).toBe('completed');
  });

  it('fails with 1003 for too much even if the charge was read while another capture was in progress', async () => {
    const { id } = await authorize();
    const stale = { ...(await reloadTransaction(api.database.db(), id)), progress: 'capturing' as const };
    const actor = { kind: 'system', id: null } as const;
    const services = { db: api.database.db(), acquirer: acquirer(), newId, actor };
    await expect(captureCharge(services, stale, stale.amount + 1n)).rejects.toMatchObject({ error_code: 1003 });
    expect(shop.journalOf(id).map(({ operation }) => operation)).toEqual(['authorize']);
    expect((await capture(id)).body).toMatchObject({ status: 'completed', amount: 100000 });
  });

  it('does not report success for a capture that another process has reversed in the meantime', async () => {
    const { id } = await authorize();
    const db = api.database.db();
    const late = new Proxy(acquirer(), {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (name !== 'capture') return typeof member === 'function' ? member.bind(target) : member;
        return async (...args: Parameters<typeof target.capture>) => {
          const resolving = resolveCapture({ db, acquirer: target }, await reloadTransaction(db, id));
          await expect(resolving).rejects.toMatchObject({ error_code: 1004 });
          return target.capture(...args);
        };
      },
    });
    const services = { db, acquirer: late, newId, actor: { kind: 'system', id: null } as const };
    const row = await reloadTransaction(db, id);
    await expect(captureCharge(services, row, row.amount)).rejects.toMatchObject({ error_code: 1004 });
    expect((await capture(id)).body.status).toBe('completed');
  });

  it('looks up a capture that an earlier run of its request began, and does not send it again', async () => {
    const { id } = await authorize();
    const db = api.database.db();
    const work_id = newId('transaction');
    const begun = { progress: 'capturing', attempts: 1, capture_amount: 10000000n, work_id };
    await db.transaction.update({ where: { id }, data: { ...begun, lease_until: new Date('2099-01-01Z') } });
    const actor = { kind: 'system', id: null } as const;
    const services = { db, acquirer: acquirer(), newId: () => work_id, actor };
    await expect(captureCharge(services, await reloadTransaction(db, id))).rejects.toMatchObject({ error_code: 1004 });
    expect(shop.journalOf(`${id}-capture-1`).map(({ operation }) => operation)).toEqual(['reverse']);
    expect((await capture(id)).body.status).toBe('completed');
  });

  it('is captured by one of fifty concurrent requests', async () => {
    const { id } = await authorize();
    const answers = await Promise.all(Array.from({ length: 50 }, () => capture(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 3006)).toHaveLength(49);
    expect(
      api.acquirer.journal().filter(({ operation, key }) => operation === 'capture' && key.startsWith(id)),
    ).toHaveLength(1);
  });

  it('is cancelled by a refund and cannot be captured afterwards', async () => {
    const { id } = await authorize();
    expect(errorOf(await refund(id, { amount: 5 }))).toBe(1003);
    expect((await refund(id)).body).toMatchObject({ id, status: 'cancelled' });
    expect(errorOf(await capture(id))).toBe(3006);
    expect(errorOf(await refund(id))).toBe(3006);
    expect(shop.journalOf(id).map(({ operation }) => operation)).toEqual(['authorize', 'reverse']);
    const events = await api.database
      .db()
      .event.findMany({ where: { object_id: id }, orderBy: { creation_date: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['charge.created', 'charge.cancelled']);
  });

  it('is either captured or cancelled when both are requested concurrently', async () => {
    for (let i = 0; i < 5; i++) {
      const { id } = await authorize();
      const held = [api.acquirer.hold('/capture'), api.acquirer.hold('/reverse')];
      const asked = [capture(id), refund(id)];
      // A refund after the capture would be a regular refund.
      await Promise.race(asked);
      for (const { release } of held) release();
      const answers = await Promise.all(asked);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(['completed', 'cancelled']).toContain((await api.rest('GET', `/charges/${id}`)).body.status);
    }
  });
});
