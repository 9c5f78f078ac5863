/** A key that goes by the name of another would seal what nobody can open later: each key proves itself by a text that it sealed. */
import type { Database } from '../database/connection';
import { FatalError } from '../platform/lifetime';
import type { VaultKeys } from './keys';
import { open } from './open';
import { type Sealed, seal } from './seal';

const PROOF = 'recaudo';

export async function proveKeys(db: Database, keys: VaultKeys): Promise<void> {
  for (const [id, key] of keys.opening) {
    const own = { ...keys, sealing: { id, key } };
    const [row] = await db.$queryRaw<{ proof: Sealed }[]>`
      with new as (
        insert into vault_keys (id, proof) values (${id}, ${seal(own, PROOF, `proof ${id}`)}) on conflict do nothing returning proof
      )
      select proof from new union all select proof from vault_keys where id = ${id} limit 1`;
    try {
      if (row) open(own, row.proof, `proof ${id}`);
    } catch {
      throw new FatalError(
        `The key ${id} in VAULT_KEYS is not the one that this database was sealed with under that name.`,
      );
    }
  }
}
