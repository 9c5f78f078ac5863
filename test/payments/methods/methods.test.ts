/** Every payment method behaves as its definition says, from creation to payment or expiry. */
import { NOTIFICATIONS } from '../../../src/api/notifications/route';
import { sign } from '../../../src/gateway/acquirer/signature';
import { expiryActivities } from '../../../src/payments/charges/expiry';
import { ISSUED_METHODS, METHOD_NAMES, METHODS } from '../../../src/payments/methods/methods';
import { pendingCharge, refusals } from '../../harness/api/pendingCharge';
import { testBackground } from '../../harness/merchant/background';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';
import { bookDifferences } from '../../harness/servers/damage';
import { secrets } from '../../harness/world/secrets';

const api = testApi();
const shop = merchantCalls(api);
const background = testBackground(api);
const db = () => api.database.db();
const notify = (key: string, outcome: string): Promise<Response> => {
  const body = JSON.stringify({ type: 'payment', key, outcome, authorization: '123456' });
  const headers = { signature: sign(secrets.ACQUIRER_KEY, body) };
  return fetch(`${api.origin()}${NOTIFICATIONS}`, { method: 'POST', headers, body });
};
const read = (id: string) => db().transaction.findUniqueOrThrow({ where: { id } });

describe.each(METHOD_NAMES)('a charge by %s', method => {
  const { issue, expiryHours, creditsMerchant } = METHODS[method];

  it('is created with payment instructions, and expires after the period of its method', async () => {
    const { status, body } = await shop.post('/charges', pendingCharge(method));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      method,
      payment_method: { type: issue?.instructions === 'references' ? 'store' : 'redirect' },
    });
    const { creation_date, expires_at } = await read(body.id);
    expect((expires_at?.getTime() ?? 0) - creation_date.getTime()).toBe(expiryHours * 3_600_000);
    expect(shop.journalOf(body.id).map(({ operation }) => operation)).toEqual(issue ? [issue.operation] : []);
  });

  it('has a page for its payer', async () => {
    const { url, receipt_url } = (await shop.post('/charges', pendingCharge(method))).body.payment_method;
    const { status, headers } = await fetch(url ?? receipt_url, { redirect: 'manual' });
    const isAtBank = issue?.instructions === 'url';
    expect([status, headers.has('location')]).toEqual(isAtBank ? [303, true] : [200, false]);
  });

  it.each(refusals)(
    'is refused if its method has the requirement %s and the body violates it',
    async (requirement, code, bodyOf) => {
      const answer = await shop.post('/charges', bodyOf(method));
      if (METHODS[method][requirement]) expect(errorOf(answer)).toBe(code);
      else expect(answer.status).toBe(200);
    },
  );

  it('is refused for a customer with a balance account if the method credits the merchant', async () => {
    const { customer: _, ...body } = pendingCharge(method);
    const answer = await shop.post(`/customers/${await shop.newCustomer()}/charges`, body);
    if (creditsMerchant) expect(errorOf(answer)).toBe(3006);
    else expect(answer.status).toBe(200);
  });

  it('is cancelled when it expires, also at the acquirer', async () => {
    const { id } = (await shop.post('/charges', pendingCharge(method))).body;
    await db().transaction.update({ where: { id }, data: { expires_at: new Date(0) } });
    const { expire } = expiryActivities(db(), { sandbox: background.acquirer() });
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    expect(shop.journalOf(id).map(({ operation }) => operation)).toEqual(issue ? [issue.operation, 'reverse'] : []);
  });
});

describe.each(ISSUED_METHODS)('a payment by $method', ({ method, operation }) => {
  it('completes its charge, and is in the journal that the audit compares', async () => {
    const { id } = (await shop.post('/charges', pendingCharge(method))).body;
    expect((await shop.post(`/sandbox/charges/${id}/pay`, {})).body).toMatchObject({ status: 'completed' });
    expect(shop.journalOf(`${id}-paid`)).toMatchObject([{ operation, outcome: 'approved' }]);
    expect((await bookDifferences(api)).filter(difference => difference.includes(id))).toEqual([]);
  });

  it('is paid once by twenty simultaneous notifications', async () => {
    const { id } = (await shop.post('/charges', pendingCharge(method))).body;
    const balance = await shop.merchantBalance();
    const sent = Array.from({ length: 20 }, () => notify(id, 'approved'));
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([204]));
    const { status, amount, fee } = (await api.rest('GET', `/charges/${id}`)).body;
    expect(status).toBe('completed');
    expect(await shop.merchantBalance()).toBe(balance + amount - fee.amount - fee.tax);
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
  });

  it('stays cancelled if a payment is reported after it was withdrawn', async () => {
    const { id } = (await shop.post('/charges', pendingCharge(method))).body;
    await db().transaction.update({ where: { id }, data: { expires_at: new Date(0) } });
    const { expire } = expiryActivities(db(), { sandbox: background.acquirer() });
    await expire(id);
    const balance = await shop.merchantBalance();
    expect((await notify(id, 'approved')).status).toBe(412);
    expect(await read(id)).toMatchObject({ status: 'cancelled', authorization: null });
    expect(await shop.merchantBalance()).toBe(balance);
  });

  it('is refunded in part and in full if the acquirer can return it; otherwise it is refused', async () => {
    const { id } = (await shop.post('/charges', pendingCharge(method))).body;
    expect(errorOf(await shop.post(`/charges/${id}/refund`, {}))).toBe(3006);
    const balance = await shop.merchantBalance();
    await shop.post(`/sandbox/charges/${id}/pay`, {});
    const part = await shop.post(`/charges/${id}/refund`, { amount: 20000 });
    if (!METHODS[method].isRefundable) return expect(errorOf(part)).toBe(3006);
    expect(part.body).toMatchObject({ status: 'completed', refund: { amount: 20000, method, status: 'completed' } });
    expect(errorOf(await shop.post(`/charges/${id}/refund`, { amount: 30001 }))).toBe(1003);
    expect((await shop.post(`/charges/${id}/refund`, {})).body).toMatchObject({ status: 'refunded' });
    expect(await shop.merchantBalance()).toBe(balance);
    expect(await shop.eventsOf(id)).toEqual([
      ...['charge.created', 'charge.succeeded'],
      ...['charge.refunded', 'charge.refunded'],
    ]);
    await shop.settle();
    return expect((await bookDifferences(api)).filter(difference => difference.includes(id))).toEqual([]);
  });

  it('does not exist for another merchant', async () => {
    const { id } = (await shop.post('/charges', pendingCharge(method))).body;
    const { other } = api.merchants();
    for (const [verb, path] of [
      ['GET', `/charges/${id}`],
      ['POST', `/charges/${id}/refund`],
      ['POST', `/sandbox/charges/${id}/pay`],
    ] as const) {
      const body = verb === 'POST' ? { body: {} } : {};
      const answer = await sendRequest(`${api.origin()}/v1/${other.id}${path}`, verb, {
        key: other.private_key,
        ...body,
      });
      expect([answer.status, errorOf(answer)]).toEqual([404, 1005]);
    }
  });
});
