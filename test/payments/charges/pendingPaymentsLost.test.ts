/** Pending payments whose creation is interrupted. */
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { type Acquirer, NoAnswerError } from '../../../src/gateway/acquirer/port';
import { createPendingPayment } from '../../../src/payments/charges/pending/create';
import { idsFrom } from '../../../src/platform/identifiers';
import { testBackground } from '../../harness/merchant/background';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { post, redirect } = shop;
const background = testBackground(api);
const db = () => api.database.db();

describe('a lost response of the acquirer', () => {
  const payment = { method: 'store', amount: 100n, iva: '19', description: 'Lost', customer: shop.payer } as const;
  /** The same seed makes the same identifiers, as in a repeated request. */
  const contextWith = (issueWith: Acquirer['issue'], seed: number) => {
    const real = background.acquirer();
    const acquirer: HttpAcquirer = Object.assign(Object.create(real), { issue: issueWith.bind(real) });
    const { id: merchant_id } = api.merchants().own;
    const newId = idsFrom(new Uint8Array([seed]));
    return { db: db(), environment: 'sandbox' as const, merchant_id, acquirer, newId, publicUrl: api.origin() };
  };
  const { issue } = HttpAcquirer.prototype;

  it('leads to a lookup, and the payment gets the issued reference', async () => {
    const lost = contextWith(async function (this: HttpAcquirer, ...order) {
      await issue.apply(this, order);
      throw new NoAnswerError('lost', true);
    }, 1);
    const { id, issued } = await createPendingPayment(lost, payment, null);
    expect(issued).toMatchObject({ reference: expect.stringMatching(/^\d{16}$/) });
    expect(shop.journalOf(id)).toMatchObject([{ operation: 'voucher' }]);
    const again = await createPendingPayment(contextWith(issue, 1), payment, null);
    expect([again.id, again.issued]).toEqual([id, issued]);
  });

  it('fails with 1004 if the acquirer does not know the payment: no payment is created, and a repeat can create it', async () => {
    const before = await db().transaction.count();
    const lost = contextWith(() => Promise.reject(new NoAnswerError('lost', true)), 2);
    await expect(createPendingPayment(lost, { ...payment, order_id: 'lost' }, null)).rejects.toThrow(NoAnswerError);
    expect(await db().transaction.count()).toBe(before);
    const repeat = await createPendingPayment(contextWith(issue, 2), { ...payment, order_id: 'lost' }, null);
    expect(repeat).toMatchObject({ order_id: 'lost', status: 'in_progress' });
  });

  it('lets a repeat create a bank page that redirects the payer to the existing payment page', async () => {
    const dying = contextWith(async function (this: HttpAcquirer, ...order) {
      await issue.apply(this, order);
      throw new Error('killed');
    }, 4);
    const bankPayment = { ...payment, method: 'bank_account' } as const;
    await expect(createPendingPayment(dying, bankPayment, null)).rejects.toThrow('killed');
    const { page_key, issued } = await createPendingPayment(contextWith(issue, 4), bankPayment, null);
    const page = (issued as { url: string }).url.split('/').at(-1) ?? '';
    expect(api.acquirer.payers().paymentOf(page)?.return_url).toBe(`${api.origin()}/pay/${page_key}/return`);
  });

  it('fails with 1006 and withdraws the voucher if another payment has used the order_id in the meantime', async () => {
    const raceLosingContext = contextWith(async function (this: HttpAcquirer, ...order) {
      await post('/charges', { ...redirect, order_id: 'meanwhile' });
      return issue.apply(this, order);
    }, 3);
    await expect(
      createPendingPayment(raceLosingContext, { ...payment, order_id: 'meanwhile' }, null),
    ).rejects.toMatchObject({
      error_code: 1006,
    });
    expect(api.acquirer.journal().at(-1)).toMatchObject({ operation: 'reverse', amount: 0 });
  });
});
