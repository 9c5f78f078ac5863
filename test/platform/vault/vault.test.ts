import { randomBytes } from 'node:crypto';
import { vaultKeys as parseVaultKeys } from '../../../src/platform/config/parsers';
import { createVaultKeys } from '../../../src/platform/vault/keys';
import { fingerprint, hashOfBody, seal } from '../../../src/platform/vault/seal';
import { unseal } from '../../../src/platform/vault/unseal';
import { canary } from '../../harness/cards/canaries';
import { Program } from '../../harness/servers/program';
import { secrets, vault } from '../../harness/world/secrets';

describe('the vault', () => {
  const purpose = { what: 'number', merchant_id: 'm1', id: 'k1' } as const;
  const sealed = seal(vault, canary.visa, purpose);

  it('decrypts what it encrypted, and encrypts the same number differently each time', () => {
    expect(unseal(vault, sealed, purpose)).toBe(canary.visa);
    expect(Buffer.from(seal(vault, canary.visa, purpose)).equals(sealed)).toBe(false);
  });

  it('does not decrypt data that was moved to another row or merchant, used for another purpose, or modified', () => {
    expect(() => unseal(vault, sealed, { ...purpose, id: 'k2' })).toThrow();
    expect(() => unseal(vault, sealed, { ...purpose, merchant_id: 'm2' })).toThrow();
    for (const what of ['cvv2', 'secret', 'answer'] as const)
      expect(() => unseal(vault, sealed, { ...purpose, what })).toThrow();
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => unseal(vault, changed, purpose)).toThrow();
    }
    expect(() => unseal(vault, sealed.subarray(0, 20), purpose)).toThrow();
  });

  it('recognizes equal numbers by a fingerprint with its own key', () => {
    const other = { ...vault, fingerprinting: randomBytes(32) };
    expect(fingerprint(vault, canary.visa)).toEqual(fingerprint(vault, canary.visa));
    expect(fingerprint(vault, canary.visa)).not.toEqual(fingerprint(other, canary.visa));
    const sealing = createVaultKeys(new Map([['x', randomBytes(32)]]), vault.fingerprinting);
    expect(fingerprint(vault, canary.visa)).toEqual(fingerprint(sealing, canary.visa));
    // A request body that is only a card number does not reveal the fingerprint of that number.
    expect(hashOfBody(vault, Buffer.from(canary.visa))).not.toEqual(fingerprint(vault, canary.visa));
  });

  it('derives a different key for each purpose, none of them equal to the configured key', () => {
    const [configured] = parseVaultKeys(secrets.VAULT_KEYS).values();
    const keys = [configured, vault.fingerprinting, vault.hashing, ...Object.values(vault.sealing.derived)];
    expect(new Set(keys.map(key => key?.toString('hex'))).size).toBe(keys.length);
  });

  it('encrypts to the length and name of the key, the nonce, the tag and the ciphertext', () => {
    const { id } = vault.sealing;
    expect(sealed[0]).toBe(id.length);
    expect(Buffer.from(sealed).toString('latin1', 1, 1 + id.length)).toBe(id);
    expect(sealed).toHaveLength(1 + id.length + 12 + 16 + canary.visa.length);
  });

  it.each(['', 'a', 'a:b', `A:${'x'.repeat(44)}`, `${secrets.VAULT_KEYS},${secrets.VAULT_KEYS}`])(
    'refuses %p as VAULT_KEYS',
    text => expect(() => parseVaultKeys(text)).toThrow(/must/),
  );
});

describe('npm run api without keys', () => {
  it('exits with one clear sentence', async () => {
    const { VAULT_KEYS: _, ...rest } = secrets;
    const variables = {
      DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ACQUIRER_URL: 'http://127.0.0.1:1',
    };
    const program = new Program('api', { ...variables, ...rest });
    expect(await program.exited).toBe(1);
    expect(program.output.trim()).toMatch(/^VAULT_KEYS is missing: [^\n]+\.$/);
  });
});
