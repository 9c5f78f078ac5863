/** An encrypted card number that was moved to another row is not charged. */
import { testCharges } from '../../harness/merchant/charges';
import { errorOf, sendRequest } from '../../harness/servers/api';

const { api, shop, db } = testCharges();
const charge = async (source_id: string) => shop.post('/charges', { ...shop.charge, source_id, customer: shop.payer });
const charged = () => api.acquirer.journal().filter(({ operation }) => operation === 'charge').length;

it('two cards whose encrypted numbers were swapped are not charged', async () => {
  const [visa, master] = [await shop.newCard(), await shop.newCard('/cards', '5555555555554444')];
  const before = charged();
  await db().$executeRaw`
    update cards set number_sealed = other.number_sealed from cards other
    where cards.id in (${visa}, ${master}) and other.id in (${visa}, ${master}) and cards.id <> other.id`;
  for (const card of [visa, master]) expect((await charge(card)).status).toBe(500);
  expect(charged()).toBe(before);
  expect(await db().transaction.count({ where: { source_id: { in: [visa, master] }, status: 'completed' } })).toBe(0);
});

it('a card that was moved to another merchant is not charged', async () => {
  const card = await shop.newCard();
  const before = charged();
  const { id, private_key: key } = api.merchants().other;
  await db().card.update({ where: { id: card }, data: { merchant_id: id } });
  const response = await sendRequest(`${api.origin()}/v1/${id}/charges`, 'POST', {
    key,
    body: { ...shop.charge, source_id: card, customer: shop.payer },
  });
  expect([response.status, errorOf(response)]).toEqual([500, 1000]);
  expect(charged()).toBe(before);
});
