/**
 * Detects a wrong key under a known name, which would seal secrets that cannot be opened later: each key must open the
 * proof that was sealed with it on first use.
 */
import type { Database } from '../database/connection';
import { FatalError } from '../lifetime';
import type { VaultKeys } from './keys';
import { seal } from './seal';
import { unseal } from './unseal';

const PROOF = 'recaudo';

export async function verifyVaultKeys(db: Database, keys: VaultKeys): Promise<void> {
  for (const [id, key] of keys.unsealing) {
    const withThisKey = { ...keys, sealing: key };
    const purpose = { what: 'proof', merchant_id: '', id } as const;
    const sealed = seal(withThisKey, PROOF, purpose);
    await db.vaultKey.createMany({ data: { id, proof: sealed }, skipDuplicates: true });
    const { proof } = await db.vaultKey.findUniqueOrThrow({ where: { id } });
    try {
      unseal(withThisKey, proof, purpose);
    } catch {
      throw new FatalError(`VAULT_KEYS: the key ${id} does not match this database: configure the original key.`);
    }
  }
}
