import { type SearchEntry, searchEntries, wordsOf } from '../../browser/pages/searchEntries';

const charge: SearchEntry = ['Create a charge', 'charges', '/docs/charges#create'];
const refund: SearchEntry = ['Refund a charge', 'charges', '/docs/charges#refund'];
const field: SearchEntry = ['iva', 'Field of create_charge', '/docs/charges#iva'];

it('the search finds entries with every word, those with the word in the title first', () => {
  expect(searchEntries([field, charge, refund], wordsOf('charge'))).toEqual([charge, refund, field]);
  expect(searchEntries([field, charge, refund], wordsOf('charge create'))).toEqual([charge, field]);
  expect(searchEntries([field, charge, refund], wordsOf('payout'))).toEqual([]);
});

it('the search ignores case, accents, dots and underscores', () => {
  expect(wordsOf(' Création_DATE  payment.url ')).toEqual(['creationdate', 'paymenturl']);
});

it('the search returns twelve entries at most', () => {
  expect(searchEntries(Array(20).fill(charge), ['charge'])).toHaveLength(12);
});
