import { testBilling, written } from '../harness/billing';

const billing = testBilling();

describe('a subscription', () => {
  it('goes from its trial to its periods', async () => {
    const life = await billing.begin('2040-01-10', { plan: { trial_days: 3 } });
    expect(life.created).toMatchObject({ status: 'trial', trial_end_date: '2040-01-12', charge_date: '2040-01-13' });
    expect(await life.diary('2040-01-12', '2040-01-13', '2040-02-12', '2040-02-13', '2040-03-13')).toBe(
      written(`
        2040-01-12 | trial 0 | next 2040-01-13
        2040-01-13 | active 1 | next 2040-02-13 | paid
        2040-02-12 | active 1 | next 2040-02-13
        2040-02-13 | active 2 | next 2040-03-13 | paid
        2040-03-13 | active 3 | next 2040-04-13 | paid
      `),
    );
  });
});
