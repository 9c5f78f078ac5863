import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../context';
import { Operators } from '../../schema/guard';
import { Operations } from './fields';
import { readOperations } from './rows';

@Resolver()
export class OperationsResolver {
  @Operators('read')
  @Query(() => Operations, { description: 'For operators: how everything stands, in both environments' })
  operations(@Ctx() { db }: Context): Promise<Operations> {
    return readOperations(db);
  }
}
