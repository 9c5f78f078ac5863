import { serializeByAccount } from '../../src/ledger/serializeByAccount';

it('debits of one account run one after the other, also after a refused debit', async () => {
  const made: string[] = [];
  const make = (name: string) =>
    serializeByAccount('merchant m', async () => {
      made.push(`${name} begins`);
      await Promise.resolve();
      made.push(`${name} ends`);
      if (name === 'too much') throw new Error(name);
      return name;
    });
  const [first, refused, last] = await Promise.allSettled(['first', 'too much', 'last'].map(make));
  expect(first).toEqual({ status: 'fulfilled', value: 'first' });
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'too much' } });
  expect(last).toEqual({ status: 'fulfilled', value: 'last' });
  expect(made).toEqual(['first', 'too much', 'last'].flatMap(name => [`${name} begins`, `${name} ends`]));
});
