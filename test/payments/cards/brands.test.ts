import { brandOf, brandTitle } from '../../../src/payments/cardDetails/brands';
import { checkDigit } from '../../../src/payments/cardDetails/checkDigit';

it.each([
  ['4', 'visa'],
  ['401178', 'elo'],
  ['402918', 'naranja'],
  ['2220', 'unknown'],
  ['2221', 'mastercard'],
  ['2720', 'mastercard'],
  ['2721', 'unknown'],
  ['50', 'unknown'],
  ['502275', 'carnet'],
  ['506198', 'maestro'],
  ['506199', 'carnet'],
  ['506499', 'carnet'],
  ['506500', 'maestro'],
  ['506099', 'verve'],
  ['300', 'diners'],
  ['306', 'unknown'],
  ['34', 'american express'],
  ['65', 'discover'],
  ['650052', 'troy'],
  ['6508', 'discover'],
  ['65085800', 'troy'],
  ['63737423', 'hiper'],
  ['6', 'maestro'],
  ['', 'unknown'],
])('card numbers that begin with %s have the brand %s', (digits, name) => {
  expect(brandOf(digits).name).toBe(name);
});

it('American Express and Diners Club cards have shorter numbers', () => {
  expect(brandOf('34')).toMatchObject({ lengths: [15, 16, 19], groups: [4, 6, 5], cvv2Length: 4 });
  expect(brandOf('36')).toMatchObject({ lengths: [14, 16, 19], groups: [4, 6, 4], cvv2Length: 3 });
  expect(brandOf('4')).toMatchObject({ lengths: [16, 19], groups: [4, 4, 4, 4, 3], cvv2Length: 3 });
});

it('each brand has a display name', () => {
  expect(['american express', 'diners', 'jcb', 'unknown', 'another'].map(brandTitle)).toEqual([
    'American Express',
    'Diners Club',
    'JCB',
    '',
    '',
  ]);
});

it.each([
  ['411111111111111', '1'],
  ['37144963539843', '1'],
  ['3672848153333', '3'],
  ['0', '0'],
])('the number %s has the check digit %s', (digits, expected) => {
  expect(checkDigit(digits)).toBe(expected);
});
