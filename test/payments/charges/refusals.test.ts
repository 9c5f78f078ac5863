/** The error of a request that could not be written has a current reason, or is retryable. */
import { throwRefusalReason } from '../../../src/payments/charges/card/prepare';
import type { CreateCharge } from '../../../src/payments/charges/requests';
import { newId } from '../../../src/platform/identifiers';
import type { Context } from '../../../src/schema/operation/context';
import { testCharges } from '../../harness/merchant/charges';

const { api, shop, db } = testCharges();
const context = (): Context =>
  ({ db: db(), merchant_id: api.merchants().own.id, newId }) as Pick<
    Context,
    'db' | 'merchant_id' | 'newId'
  > as Context;
const refusal = (charge: object) =>
  throwRefusalReason(context(), charge as CreateCharge, null).catch(({ error_code }) => error_code);

it.each([
  ['1004 when the card and the order_id are free again', () => shop.newCard(), 1004],
  ['1004 when the token is free again', () => shop.newToken(), 1004],
  ['1003 for a source that is not there', async () => 'k0000000000000000000', 1003],
])('a charge that could not be written fails with %s', async (_, source, code) => {
  expect(await refusal({ source_id: await source(), order_id: newId('transaction') })).toBe(code);
});

it('a charge that could not be written fails with 1006 while another charge has the order_id', async () => {
  const source_id = await shop.newCard();
  await shop.newCharge(source_id, { order_id: 'held' });
  expect(await refusal({ source_id, order_id: 'held' })).toBe(1006);
});
