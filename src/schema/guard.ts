/** Every root field needs the private key unless it says otherwise, in Query, Mutation and Subscription alike. */
import type { GraphQLField, GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Context } from '../context';
import { ApiError } from '../platform/errors';

/** On a resolver's method: the public key will do. */
export const PublicKey = (): MethodDecorator => Extensions({ publicKey: true }) as MethodDecorator;

/** On a resolver's method: in production there is no such thing. */
export const SandboxOnly = (): MethodDecorator => Extensions({ sandboxOnly: true }) as MethodDecorator;

export function guard({ key, environment }: Context, { extensions }: GraphQLField<unknown, Context>): void {
  if (key === 'public' && !extensions.publicKey) throw new ApiError('private_key_needed');
  if (environment === 'production' && extensions.sandboxOnly) throw new ApiError('not_found');
}

/** Built into the fields themselves, so that no door can forget it. */
export function guarded(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      for (const way of ['resolve', 'subscribe'] as const) {
        const inner = field[way];
        if (!inner) continue;
        field[way] = (source, args, context, info) => {
          guard(context, field);
          return inner(source, args, context, info);
        };
      }
    }
  }
  return schema;
}
