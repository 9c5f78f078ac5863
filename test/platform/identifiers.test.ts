import { newKeyPair } from '../../src/accounts/merchants/keys';
import { passesLuhn } from '../../src/gateway/luhn';
import { newId, prefixes } from '../../src/platform/identifiers';

describe('newId', () => {
  it('begins with the letter of its kind and has 19 letters and digits after it', () => {
    for (let i = 0; i < 1000; i++) expect(newId('merchant')).toMatch(/^m[a-z0-9]{19}$/);
  });

  it('has a different letter for each kind', () => {
    const letters = Object.values(prefixes);
    expect(new Set(letters).size).toBe(letters.length);
  });

  it('never repeats', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('merchant'))).size).toBe(10_000);
  });

  it('uses every character in every position', () => {
    const ids = Array.from({ length: 5000 }, () => newId('merchant'));
    for (let position = 1; position < 20; position++) expect(new Set(ids.map(id => id[position])).size).toBe(36);
  });
});

describe('newKeyPair', () => {
  it('is sk_ and pk_ followed by 32 hex digits, different for each key', () => {
    const { private_key, public_key } = newKeyPair();
    expect(private_key).toMatch(/^sk_[0-9a-f]{32}$/);
    expect(public_key).toMatch(/^pk_[0-9a-f]{32}$/);
    expect(private_key.slice(3)).not.toBe(public_key.slice(3));
  });
});

describe('passesLuhn', () => {
  it.each(['4242424242424242', '378282246310005', '6011111111111117', '79927398713', '0'])('accepts %s', number => {
    expect(passesLuhn(number)).toBe(true);
  });

  it('refuses a number with one wrong digit', () => {
    const number = '4242424242424242';
    for (let i = 0; i < number.length; i++) {
      for (const digit of '0123456789') {
        const changed = number.slice(0, i) + digit + number.slice(i + 1);
        expect(passesLuhn(changed)).toBe(changed === number);
      }
    }
  });
});
