import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { CustomerResolver } from '../customers/resolver';
import { MerchantResolver } from '../merchants/resolver';
import { check } from '../schema/check';
import { guarded } from '../schema/guard';

/** Every operation there is. Made once for the process. */
export const schema: GraphQLSchema = guarded(
  buildSchemaSync({ resolvers: [MerchantResolver, CustomerResolver], validateFn: check }),
);
