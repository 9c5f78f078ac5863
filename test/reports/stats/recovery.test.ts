/** Statistics of declined periods that were paid later: how many, how much, by what and how long after the decline. */
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api } = billing;
const DECLINED_TWICE = '4000000000000028';
const DECLINES = '4000000000000341';
const NEW_CARD = { card_number: '5555555555554444', holder_name: 'María', cvv2: '123' };

const renewals = async (query = 'from=2040-01-10&to=2040-01-20') =>
  (await api.rest('GET', `/stats?${query}`)).body.renewals;
interface Charge {
  id: string;
  status: string;
  creation_date: string;
  operation_date: string;
}
/** From the first decline to the payment. */
const hoursOf = (charges: readonly Charge[]): number => {
  const [first, paid] = [charges[0], charges.find(({ status }) => status === 'completed')];
  return (Date.parse(paid?.operation_date ?? '') - Date.parse(first?.creation_date ?? '')) / 3_600_000;
};

it('counts what paid the declined periods, and how long it took', async () => {
  const none = { recovered_amount: 0, median_hours: null, average_hours: null, ways: [] };
  expect(await renewals()).toEqual({ declined: 0, recovered: 0, recovery_rate: null, ...none });
  const plan = { amount: 30000 };
  const retried = await billing.subscribe('2040-01-10', { card: DECLINED_TWICE });
  const one = await billing.subscribe('2040-01-10', { card: DECLINES, plan });
  const two = await billing.subscribe('2040-01-10', { card: DECLINES, plan });
  const unpaid = await billing.subscribe('2040-01-10', { card: DECLINES });
  expect(await renewals()).toEqual({ declined: 4, recovered: 0, recovery_rate: 0, ...none });
  await retried.moveTo('2040-01-12');
  for (const subscription of [one, two]) {
    await subscription.moveTo('2040-01-11');
    await subscription.put({ card: { ...NEW_CARD, expiration_month: '12', expiration_year: '49' } });
  }
  for (const paid of [retried, one, two]) expect(await paid.read()).toMatchObject({ status: 'active' });
  expect(await unpaid.read()).toMatchObject({ status: 'past_due' });
  const [slow, fast] = [hoursOf(await retried.charges()), hoursOf(await one.charges())];
  expect([fast > 24, slow > fast + 9]).toEqual([true, true]);
  const total = { declined: 4, recovered: 3, recovery_rate: 75, recovered_amount: 109900 };
  const hours = { median_hours: Math.round(fast), average_hours: Math.round((slow + 2 * fast) / 3) };
  const ways = [
    { way: 'new_card', recovered: 2, recovered_amount: 60000, recovery_rate: 50, median_hours: Math.round(fast) },
    { way: 'retry', recovered: 1, recovered_amount: 49900, recovery_rate: 25, median_hours: Math.round(slow) },
  ];
  expect(await renewals()).toEqual({ ...total, ...hours, ways });
  expect((await renewals('from=2040-01-12&to=2040-01-20')).ways).toEqual([]);
  const { id } = (await retried.charges()).find(({ status }: Charge) => status === 'completed');
  await api.database.db().transaction.update({ where: { id }, data: { method: 'store' } });
  expect((await renewals()).ways).toEqual([ways[0], { ...ways[1], way: 'store' }]);
});
