/** What a merchant rehearses with. In production none of it is there. */
import { Ctx, Mutation, Resolver } from 'type-graphql';
import { Unanswered } from '../acquirer/port';
import { findAnyCard } from '../cards/resolver';
import type { Context } from '../context';
import { ApiError } from '../errors';
import { Body, Id } from '../schema/arguments';
import { SandboxOnly } from '../schema/guard';
import { CreateScript, Script } from './fields';

@Resolver()
export class SandboxResolver {
  @Mutation(() => Script, { description: 'Says what the next charges to a saved card meet' })
  @SandboxOnly()
  async scriptCard(
    @Ctx() context: Context,
    @Id('saved_card_id', "Which card, the merchant's or a customer's") saved_card_id: string,
    @Body('script', () => CreateScript, 'What they meet') { outcomes }: CreateScript,
  ): Promise<Script> {
    const { id: reference } = await findAnyCard(context, saved_card_id);
    await context.acquirer.rehearse('script', { reference, outcomes }).catch(error => {
      throw error instanceof Unanswered ? new ApiError('unavailable', 'The acquirer does not answer') : error;
    });
    return { outcomes };
  }
}
