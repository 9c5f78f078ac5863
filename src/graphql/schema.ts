import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type MiddlewareFn } from 'type-graphql';
import type { Context } from '../context';
import { CustomerResolver } from '../customers/resolver';
import { MerchantResolver } from '../merchants/resolver';
import { missingFirst } from '../resources';
import { check } from '../schema/check';
import { guarded } from '../schema/guard';

const inOrder: MiddlewareFn<Context> = ({ context, args }, next) =>
  next().catch(error => missingFirst(context, args, error));

/** Every operation there is. Made once for the process. */
export const schema: GraphQLSchema = guarded(
  buildSchemaSync({
    resolvers: [MerchantResolver, CustomerResolver],
    validateFn: check,
    globalMiddlewares: [inOrder],
  }),
);
