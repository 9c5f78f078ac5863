import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../schema/operation/context';
import { Operators } from '../../../schema/operation/guard';
import { Operations } from './fields';
import { readOperations } from './rows';

@Resolver()
export class OperationsResolver {
  @Operators('read')
  @Query(() => Operations, { description: 'For operators: status of both environments' })
  operations(@Ctx() { db }: Context): Promise<Operations> {
    return readOperations(db);
  }
}
