import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { Body, Id } from '../schema/arguments';
import { FullKey } from '../schema/guard';
import { listWhere, newestFirst } from '../schema/list';
import { ApiKey, CreateKey, KeysPage, RotateKey, UpdateKey } from './keyFields';
import { createKey, findKey, revokeKey, rotateKey, showKeys, updateKey } from './keyRows';

const WHICH = 'Which key';

@Resolver()
export class KeyResolver {
  @Query(() => ApiKey, { description: 'One API key, masked' })
  @FullKey()
  async key(@Ctx() context: Context, @Id('key_id', WHICH) key_id: string): Promise<ApiKey> {
    return (await showKeys(context.db, [await findKey(context, key_id)]))[0] as ApiKey;
  }

  @Query(() => [ApiKey], { description: 'API keys, masked, newest first; expired ones until they are swept' })
  @FullKey()
  async keys(@Ctx() { db, merchant_id }: Context, @Args(() => KeysPage) page: KeysPage): Promise<ApiKey[]> {
    const where = { merchant_id, ...listWhere(page) };
    const rows = await db.apiKey.findMany({ where, orderBy: [...newestFirst], skip: page.offset, take: page.limit });
    return showKeys(db, rows);
  }

  @Mutation(() => ApiKey, { description: 'Makes an API key, which is shown this once' })
  async createKey(
    @Ctx() context: Context,
    @Body('key', () => CreateKey, 'The new key') key: CreateKey,
  ): Promise<ApiKey> {
    return createKey(context, key);
  }

  @Mutation(() => ApiKey, { description: 'Changes the name or the restrictions of a key' })
  async updateKey(
    @Ctx() context: Context,
    @Id('key_id', WHICH) key_id: string,
    @Body('key', () => UpdateKey, 'What to change') changes: UpdateKey,
  ): Promise<ApiKey> {
    return updateKey(context, key_id, changes);
  }

  @Mutation(() => ApiKey, {
    description: 'Replaces a key by a new one, shown this once. The old one works on for a while',
  })
  async rotateKey(
    @Ctx() context: Context,
    @Id('key_id', WHICH) key_id: string,
    @Body('rotation', () => RotateKey, 'How') rotation: RotateKey,
  ): Promise<ApiKey> {
    return rotateKey(context, key_id, rotation);
  }

  @Mutation(() => ApiKey, { description: 'Revokes a key at once; answers it as it was' })
  async revokeKey(@Ctx() context: Context, @Id('key_id', WHICH) key_id: string): Promise<ApiKey> {
    return revokeKey(context, key_id);
  }
}
