import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Body, Id } from '../../schema/arguments';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliced, sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { FullKey, NoSessions } from '../../schema/operation/guard';
import { ApiKey, ApiKeyConnection, CreateKey, KeysArgs, KeysConnectionArgs, RotateKey, UpdateKey } from './keyFields';
import { createKey, findKey, revokeKey, rotateKey, showKeys, updateKey } from './keyRows';

@Resolver()
export class KeyResolver {
  @Query(() => ApiKey, { description: 'Returns an API key, masked' })
  @FullKey()
  async key(@Ctx() context: Context, @Id('key_id', 'key', 'API key ID') key_id: string): Promise<ApiKey> {
    return (await showKeys(context.db, [await findKey(context, key_id)]))[0] as ApiKey;
  }

  @Query(() => [ApiKey], { description: 'API keys, masked, newest first; includes recently expired keys' })
  @FullKey()
  async keys(@Ctx() { db, merchant_id }: Context, @Args(() => KeysArgs) page: KeysArgs): Promise<ApiKey[]> {
    const where = { merchant_id, ...listWhere(page) };
    return showKeys(db, await db.apiKey.findMany(sliced(where, pageSlice(page))));
  }

  @Query(() => ApiKeyConnection, { description: 'API keys, masked, newest first' })
  @FullKey()
  async keysConnection(
    @Ctx() { db, merchant_id }: Context,
    @Args(() => KeysConnectionArgs) window: KeysConnectionArgs,
  ): Promise<ApiKeyConnection> {
    const where = { merchant_id, ...listWhere(window) };
    const keys = await showKeys(db, await db.apiKey.findMany(sliced(where, sliceOf(window))));
    return toConnection(window, keys, totalWhere(db, 'api_keys', where));
  }

  @Mutation(() => ApiKey, { description: 'Creates an API key, which is returned only once' })
  @NoSessions()
  @Errors('not_allowed')
  async createKey(
    @Ctx() context: Context,
    @Body('key', () => CreateKey, 'The new key') key: CreateKey,
  ): Promise<ApiKey> {
    return createKey(context, key);
  }

  @Mutation(() => ApiKey, { description: 'Updates the name or restrictions of a key' })
  @NoSessions()
  @Errors('not_allowed')
  async updateKey(
    @Ctx() context: Context,
    @Id('key_id', 'key', 'API key ID') key_id: string,
    @Body('key', () => UpdateKey, 'Changes') changes: UpdateKey,
  ): Promise<ApiKey> {
    return updateKey(context, key_id, changes);
  }

  @Mutation(() => ApiKey, {
    description: 'Rotates a key. The new key is returned only once; the old key works until the overlap ends',
  })
  @NoSessions()
  @Errors('not_allowed')
  async rotateKey(
    @Ctx() context: Context,
    @Id('key_id', 'key', 'API key ID') key_id: string,
    @Body('rotation', () => RotateKey, 'Options') rotation: RotateKey,
  ): Promise<ApiKey> {
    return rotateKey(context, key_id, rotation);
  }

  @Mutation(() => ApiKey, { description: 'Revokes a key immediately. Returns the revoked key' })
  @NoSessions()
  @Errors('not_allowed')
  async revokeKey(@Ctx() context: Context, @Id('key_id', 'key', 'API key ID') key_id: string): Promise<ApiKey> {
    return revokeKey(context, key_id);
  }
}
