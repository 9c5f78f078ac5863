import { readTypedNumber, separateMonth } from '../../browser/pages/cardNumber';

it.each([
  ['', '', '', 4],
  ['4', '4', 'Visa', 3],
  ['4929-3815 3328', '4929 3815 3328', 'Visa', 3],
  ['4929381533287748', '4929 3815 3328 7748', 'Visa', 3],
  ['49293815332877400001234', '4929 3815 3328 7740 000', 'Visa', 3],
  ['5391827364550915', '5391 8273 6455 0915', 'Mastercard', 3],
  ['2720990000000007', '2720 9900 0000 0007', 'Mastercard', 3],
  ['371449635398431', '3714 496353 98431', 'American Express', 4],
  ['36728481533333', '3672 848153 3333', 'Diners Club', 3],
  ['3672848153333312', '3672 848153 3333 12', 'Diners Club', 3],
  ['5062000000000001', '5062 0000 0000 0001', 'Carnet', 3],
  ['9999', '9999', '', 4],
])('%s is formatted as %s, with the brand %j and a security code of %d digits', (text, grouped, brand, cvv2Length) => {
  expect(readTypedNumber(text)).toEqual({ grouped, brand, cvv2Length });
});

it.each([
  ['1', '1'],
  ['12', '12/'],
  ['1229', '12/29'],
  ['12/29', '12/29'],
  ['1 2029', '1 2029'],
])('the expiration date %s is formatted as %s', (text, expected) => {
  expect(separateMonth(text)).toBe(expected);
});
