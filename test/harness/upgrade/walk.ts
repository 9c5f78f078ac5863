/** The main operations, begun through one API and finished through the other, which may be of another build. */
import { visa } from '../cards/testCards';
import { payer, payOnPage } from '../merchant/merchantCalls';
import type { RunningApi } from '../servers/apiProgram';
import { type Calls, CHARGE } from './installation';

const { device_session_id: _, ...WITHOUT_DEVICE } = CHARGE;
const STORE = { ...WITHOUT_DEVICE, method: 'store' };
const REDIRECT = { ...WITHOUT_DEVICE, confirm: false, redirect_url: 'https://shop.example/thanks' };
const ADDRESS = { department: 'Antioquia', city: 'Medellín', additional: 'Carrera 43A # 1-50' };
const BANK = {
  ...WITHOUT_DEVICE,
  method: 'bank_account',
  country: 'COL',
  customer: { ...payer, requires_account: false, customer_address: ADDRESS },
};

/** Returns the paths of the created objects. */
export async function walk(calls: Calls, one: RunningApi, other: RunningApi): Promise<string[]> {
  const { get, post, put, send } = calls;
  const customer = (await post(one, '/customers', payer)).id;
  expect(await put(other, `/customers/${customer}`, { ...payer, phone_number: '3001234567' })).toMatchObject({
    phone_number: '3001234567',
  });
  const source_id = await calls.newCard(one, customer);
  const own = await post(other, `/customers/${customer}/charges`, {
    ...CHARGE,
    customer: undefined,
    source_id,
  });
  expect(await get(one, `/customers/${customer}`)).toMatchObject({ phone_number: '3001234567', balance: 100000 });
  const fee = (await post(one, '/fees', { customer_id: customer, amount: 500, description: 'Fee' })).id;
  await post(other, `/fees/${fee}/refund`, { amount: 100 });

  const token = (await post(one, '/tokens', visa)).id;
  const charge = (await post(other, '/charges', { ...CHARGE, source_id: token, capture: false })).id;
  expect(await post(one, `/charges/${charge}/capture`, { amount: 40000 })).toMatchObject({ status: 'completed' });
  expect(await post(other, `/charges/${charge}/refund`, { amount: 500 })).toMatchObject({ refund: { amount: 500 } });

  const [voucher, bank, page] = [
    await post(one, '/charges', STORE),
    await post(one, '/charges', BANK),
    await post(one, '/charges', REDIRECT),
  ];
  for (const { id } of [voucher, bank]) await post(other, `/sandbox/charges/${id}/pay`);
  await payOnPage(page.payment_method.url.replace(one.origin, other.origin));
  for (const { id } of [voucher, bank, page])
    expect(await get(one, `/charges/${id}`)).toMatchObject({ status: 'completed' });

  const plan = await calls.newPlan(one);
  expect(await put(other, `/plans/${plan}`, { name: 'Renamed' })).toMatchObject({ name: 'Renamed' });
  const subscription = await calls.subscribe(one, plan);
  expect(await put(other, subscription, { cancel_at_period_end: true })).toMatchObject({ status: 'active' });
  await send(one, 'DELETE', subscription);
  expect(await calls.standing(other, subscription)).toBe('cancelled 1');

  await expectSameAnswerToARepeat(calls, one, other);
  return [
    `/customers/${customer}`,
    `/customers/${customer}/cards/${source_id}`,
    `/charges/${own.id}`,
    `/fees/${fee}`,
    `/charges/${charge}`,
    `/events?object_id=${charge}`,
    ...[voucher, bank, page].map(({ id }) => `/charges/${id}`),
    `/plans/${plan}`,
    subscription,
  ];
}

/** A client without a response retries, and reaches another process. */
async function expectSameAnswerToARepeat({ post, send }: Calls, one: RunningApi, other: RunningApi): Promise<void> {
  const source_id = (await post(one, '/tokens', visa)).id;
  const request = { body: { ...CHARGE, source_id }, headers: { 'idempotency-key': source_id } };
  const first = await send(one, 'POST', '/charges', request);
  const repeat = await send(other, 'POST', '/charges', request);
  expect([repeat.text, repeat.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
}

/** The newer API returns at least the fields and list entries of the older one. */
export async function expectSameView(
  calls: Calls,
  older: RunningApi,
  newer: RunningApi,
  paths: string[],
): Promise<void> {
  for (const path of ['', '/charges', '/customers', '/plans', '/webhooks', ...paths])
    expect([path, await calls.get(newer, path)]).toMatchObject([path, await calls.get(older, path)]);
  const query =
    '{ customers { nodes { id email subscriptions { edges { node { id status plan { name } } } } } } charges { nodes { id status amount } } }';
  const [{ data: shownByNewer }, { data: shownByOlder }] = [
    (await calls.graphql(newer, query)).body,
    (await calls.graphql(older, query)).body,
  ];
  expect(shownByNewer).toMatchObject(shownByOlder);
}
