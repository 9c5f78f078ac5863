import { newKeyPair } from '../../src/merchants/keys';
import { newId } from '../../src/platform/identifiers';

describe('newId', () => {
  it('begins with the letter of its kind and has 19 letters and digits after it', () => {
    for (let i = 0; i < 1000; i++) expect(newId('merchant')).toMatch(/^m[a-z0-9]{19}$/);
  });

  it('never repeats', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('merchant'))).size).toBe(10_000);
  });

  it('uses every character in every place', () => {
    const ids = Array.from({ length: 5000 }, () => newId('merchant'));
    for (let place = 1; place < 20; place++) expect(new Set(ids.map(id => id[place])).size).toBe(36);
  });
});

describe('newKeyPair', () => {
  it('is sk_ and pk_ with 32 hex digits each, of which no two are alike', () => {
    const { private_key, public_key } = newKeyPair();
    expect(private_key).toMatch(/^sk_[0-9a-f]{32}$/);
    expect(public_key).toMatch(/^pk_[0-9a-f]{32}$/);
    expect(private_key.slice(3)).not.toBe(public_key.slice(3));
  });
});
