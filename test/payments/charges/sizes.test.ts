/** The size of a charge stays small after many refunds. */
import { testCharges } from '../../harness/merchant/charges';
import { errorOf } from '../../harness/servers/api';

const { api, shop, db, pay, newCharge, refund } = testCharges();

describe('metadata', () => {
  /** Metadata with this number of bytes as JSON; `ñ` has two bytes. */
  const metadataOf = (bytes: number): Record<string, string> => {
    const full = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`k${10 + i}`, 'ñ'.repeat(500)]));
    const rest = bytes - Buffer.byteLength(JSON.stringify({ ...full, rest: '' }));
    return { ...full, rest: 'x'.repeat(rest) };
  };

  it('accepts 32 KiB of JSON; one byte more fails with 413 and 1009 over both APIs, and nothing is written', async () => {
    expect((await pay({ metadata: metadataOf(32 * 1024) })).status).toBe(200);
    const count = await db().transaction.count({ where: api.ownRows() });
    const metadata = metadataOf(32 * 1024 + 1);
    const refused = await pay({ metadata });
    expect([refused.status, errorOf(refused), refused.body.field]).toEqual([413, 1009, 'metadata']);
    const list = Object.entries(metadata).map(([key, value]) => ({ key, value }));
    expect(errorOf(await pay({ metadata: list }))).toBe(1009);
    const charge = { ...shop.charge, source_id: await shop.newCard(), customer: shop.payer };
    const inGraphql = await api.graphql('mutation ($c: CreateCharge!) { createCharge(charge: $c) { id } }', {
      c: { ...charge, metadata },
    });
    expect([inGraphql.status, errorOf(inGraphql)]).toEqual([413, 1009]);
    expect(await db().transaction.count({ where: api.ownRows() })).toBe(count);
  });
});

describe('the events of a charge with many refunds', () => {
  const refundsIn = async (object_id: string): Promise<(string[] | undefined)[]> => {
    const { body } = await api.rest('GET', `/events?object_id=${object_id}`);
    return body
      .toReversed()
      .map((event: { transaction: { refunds?: { id: string }[] } }) => event.transaction.refunds?.map(({ id }) => id));
  };

  it('contain only their own refund, while the charge contains all refunds', async () => {
    const id = await newCharge({ amount: 1000 });
    const made: string[] = [];
    for (const amount of [1, 2, 3]) {
      const { body } = await refund(id, { amount });
      made.push(body.refund.id);
      expect(body.refunds.map((each: { id: string }) => each.id)).toEqual(made.toReversed());
    }
    expect(await refundsIn(id)).toEqual([undefined, ...made.map(each => [each])]);
    await shop.post(`/sandbox/charges/${id}/chargeback`, {});
    expect((await refundsIn(id)).at(-1)).toEqual(made.slice(-1));
  });

  it('contain only their own refund for a fee too', async () => {
    const customer_id = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
    await shop.post(`/customers/${customer_id}/charges`, { ...shop.charge, source_id, amount: 1000 });
    const { id } = (await shop.post('/fees', { customer_id, amount: 100, description: 'Fee' })).body;
    const made: string[] = [];
    for (const amount of [1, 2]) made.push((await shop.post(`/fees/${id}/refund`, { amount })).body.refund.id);
    expect(await refundsIn(id)).toEqual([undefined, ...made.map(each => [each])]);
  });
});

it('a charge accepts a thousand refunds, all of which it shows; the next fails with 3006', async () => {
  const id = await newCharge({ amount: 100 });
  await refund(id, { amount: 0.01 });
  await db().$executeRaw`
    insert into transactions select (jsonb_populate_record(made, jsonb_build_object('id', 't' || lpad(i::text, 19, '0')))).*
    from transactions made, generate_series(1, 998) as i where parent_id = ${id}`;
  expect((await refund(id, { amount: 0.01 })).body.refunds).toHaveLength(1000);
  expect(errorOf(await refund(id, { amount: 0.01 }))).toBe(3006);
});
