/**
 * Detects a wrong key under a known name, which would seal secrets that cannot be opened later: each key must open the
 * proof that was sealed with it on first use.
 */
import type { Database } from '../database/connection';
import { FatalError } from '../lifetime';
import type { VaultKeys } from './keys';
import { type Sealed, seal } from './seal';
import { unseal } from './unseal';

const PROOF = 'recaudo';

export async function verifyVaultKeys(db: Database, keys: VaultKeys): Promise<void> {
  for (const [id, key] of keys.unsealing) {
    const withThisKey = { ...keys, sealing: key };
    const purpose = { what: 'proof', merchant_id: '', id } as const;
    const [row] = await db.$queryRaw<{ proof: Sealed }[]>`
      with inserted_key as (
        insert into vault_keys (id, proof) values (${id}, ${seal(withThisKey, PROOF, purpose)})
        on conflict do nothing returning proof
      )
      select proof from inserted_key union all select proof from vault_keys where id = ${id} limit 1`;
    try {
      if (row) unseal(withThisKey, row.proof, purpose);
    } catch {
      throw new FatalError(`VAULT_KEYS: the key ${id} does not match this database: configure the original key.`);
    }
  }
}
