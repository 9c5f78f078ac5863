import { digitsOfNit, displayNit, hasCheckDigit } from '../../../src/accounts/activation/nit';

describe('a NIT (Colombian tax ID)', () => {
  it.each(['900123456-8', '9001234568', '900.123.456-8', ' 900 123 456-8 '])('is accepted in the form %j', text => {
    expect(digitsOfNit(text)).toBe('9001234568');
  });

  it.each(['', 'abc', '900123456-', '900123456-88', '12345-6', '12345678901-2', '9001234-568'])(
    'is refused in the form %j',
    text => {
      expect(digitsOfNit(text)).toBeUndefined();
    },
  );

  // Published NITs of the tax office and of two banks, and two whose remainder is 0 or 1.
  it.each(['8001972684', '8909039388', '8600029644', '9000000021', '9000000090'])(
    '%s has a valid check digit',
    digits => {
      const wrong = Array.from({ length: 10 }, (_, digit) => `${digits.slice(0, -1)}${digit}`).filter(
        each => each !== digits,
      );
      expect(wrong.filter(hasCheckDigit)).toEqual([]);
      expect(hasCheckDigit(digits)).toBe(true);
    },
  );

  it('is displayed with a dash', () => expect(displayNit('9001234568')).toBe('900123456-8'));
});
