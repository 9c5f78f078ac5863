import { digitsOfNit, displayNit, hasCheckDigit } from '../../../src/accounts/activation/nit';

describe('a NIT', () => {
  it.each(['900123456-8', '9001234568', '900.123.456-8', ' 900 123 456-8 '])('is read from %j', text => {
    expect(digitsOfNit(text)).toBe('9001234568');
  });

  it.each(['', 'abc', '900123456-', '900123456-88', '12345-6', '12345678901-2', '9001234-568'])('is not %j', text => {
    expect(digitsOfNit(text)).toBeUndefined();
  });

  // NITs published by the tax office and by two banks, and two whose remainder is 0 and 1.
  it.each(['8001972684', '8909039388', '8600029644', '9000000021', '9000000090'])(
    'of %s has its check digit',
    digits => {
      const wrong = Array.from({ length: 10 }, (_, digit) => `${digits.slice(0, -1)}${digit}`).filter(
        each => each !== digits,
      );
      expect(wrong.filter(hasCheckDigit)).toEqual([]);
      expect(hasCheckDigit(digits)).toBe(true);
    },
  );

  it('is written with a dash', () => expect(displayNit('9001234568')).toBe('900123456-8'));
});
