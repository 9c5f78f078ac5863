import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Body } from '../../schema/arguments';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { NoSessions, SandboxOnly } from '../../schema/operation/guard';
import { collectLiveKeys } from './collectKeys';
import { BusinessInput, LiveKeys, LiveRequest } from './fields';
import { completeLiveRequest, createLiveRequest, findLiveRequest, toLiveRequest } from './rows';

@Resolver()
export class LiveRequestResolver {
  @SandboxOnly()
  @Query(() => LiveRequest, { description: 'The latest request for production access' })
  async liveRequest(@Ctx() context: Context): Promise<LiveRequest> {
    return toLiveRequest(await findLiveRequest(context), !context.rights.isReadOnly);
  }

  @SandboxOnly()
  @Mutation(() => LiveRequest, {
    description: 'Requests production access; without business details it creates a draft to be completed on its page',
  })
  @Errors('not_allowed')
  async requestLive(
    @Ctx() context: Context,
    @Arg('request', () => BusinessInput, { nullable: true, description: 'Business details' })
    request: BusinessInput | null,
  ): Promise<LiveRequest> {
    return toLiveRequest(await createLiveRequest(context, request ?? null), true);
  }

  @SandboxOnly()
  @Mutation(() => LiveRequest, { description: 'Completes a draft or a returned request, and submits it' })
  @Errors('not_allowed')
  async updateLiveRequest(
    @Ctx() context: Context,
    @Body('request', () => BusinessInput, 'Business details') request: BusinessInput,
  ): Promise<LiveRequest> {
    const row = await findLiveRequest(context);
    return toLiveRequest(await completeLiveRequest(context, context, row, request), true);
  }

  @SandboxOnly()
  @NoSessions()
  @Mutation(() => LiveKeys, { description: 'Returns the production keys after an approval, only once' })
  @Errors('not_allowed')
  collectLiveKeys(@Ctx() context: Context): Promise<LiveKeys> {
    return collectLiveKeys(context);
  }
}
