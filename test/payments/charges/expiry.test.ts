/** Authorized charges that are not captured, and the clock that expires them. */
import { drainOutbox } from '../../../src/operations/background/outbox';
import { outboxHandlers } from '../../../src/operations/background/outboxHandlers';
import { ensureSearchAttributes } from '../../../src/operations/background/temporalNamespace';
import { expiryActivities } from '../../../src/payments/charges/expiry';
import { openTemporal } from '../../../src/platform/temporal';
import { expiryWorkflowId } from '../../../workflows/contract';
import { until } from '../../harness/flow/until';
import { testBackground } from '../../harness/merchant/background';
import { testCharges } from '../../harness/merchant/charges';
import { temporalAddress } from '../../harness/world/temporal';

const { api, shop, db, pay } = testCharges();
const { acquirer } = testBackground(api);

describe('an authorized charge without a capture', () => {
  it('has a workflow that waits seven days and then reverses it', async () => {
    const { id } = (await pay({ capture: false })).body;
    const temporal = openTemporal(temporalAddress(), 'default');
    await ensureSearchAttributes(temporal);
    await until(async () => {
      // Temporal refuses the workflow until the server has loaded its new search attributes.
      await drainOutbox(db(), outboxHandlers('temporal', { db: db(), temporal })).catch(() => undefined);
      return (await db().outbox.count({ where: { object_id: id } })) === 0;
    });
    const description = await temporal.workflow.getHandle(expiryWorkflowId(id)).describe();
    expect([description.type, description.status.name]).toEqual(['expiry', 'RUNNING']);
    await temporal.workflow.getHandle(expiryWorkflowId(id)).terminate();
    await temporal.connection.close();

    const { expire } = expiryActivities(db(), { sandbox: acquirer() });
    const step = await expire(id);
    expect(step).toEqual({ waitMs: expect.any(Number), until: expect.stringMatching(/-05:00$/) });
    expect((step as { waitMs: number }).waitMs / 86_400_000).toBeCloseTo(7, 1);
    await db().merchant.update({ where: { id: api.merchants().own.id }, data: { clock_offset: 7 * 86_400 + 60 } });
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    await db().merchant.update({ where: { id: api.merchants().own.id }, data: { clock_offset: 0 } });
    expect(shop.journalOf(id).map(({ operation }) => operation)).toEqual(['authorize', 'reverse']);
    expect((await db().event.findMany({ where: { object_id: id } })).map(({ type }) => type).sort()).toEqual([
      'charge.cancelled',
      'charge.created',
    ]);
  });

  it('uses the later of the test clocks of the merchant and the customer', async () => {
    const customer = await shop.newCustomer({ requires_account: false });
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    await db().customer.update({ where: { id: customer }, data: { clock_offset: 86_400 * 10 } });
    const { body } = await shop.post(`/customers/${customer}/charges`, { ...shop.charge, source_id });
    const daysAhead = (new Date(body.creation_date).getTime() - Date.now()) / 86_400_000;
    expect(daysAhead).toBeCloseTo(10, 1);
    expect(body.operation_date >= body.creation_date).toBe(true);
  });
});
