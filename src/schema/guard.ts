/** Every root field needs the private key unless it is marked otherwise, in Query, Mutation and Subscription alike. */
import type { GraphQLField, GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Context } from '../context';
import { ApiError } from '../platform/errors';

/** On a resolver's method: the public key is accepted too. */
export const PublicKey = (): MethodDecorator => Extensions({ publicKey: true }) as MethodDecorator;

/** On a resolver's method: the field does not exist in production. */
export const SandboxOnly = (): MethodDecorator => Extensions({ sandboxOnly: true }) as MethodDecorator;

/** On a resolver's method: the acquirer is made to look at a card, which is limited more strictly. */
export const SendsCard = (): MethodDecorator => Extensions({ sendsCard: true }) as MethodDecorator;

export function guard({ keyKind: key, environment }: Context, { extensions }: GraphQLField<unknown, Context>): void {
  if (key === 'public' && !extensions.publicKey) throw new ApiError('private_key_needed');
  if (environment === 'production' && extensions.sandboxOnly) throw new ApiError('not_found');
}

/** Wraps the fields themselves, so that neither REST nor GraphQL can forget the check. */
export function guarded(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      for (const method of ['resolve', 'subscribe'] as const) {
        const original = field[method];
        if (!original) continue;
        field[method] = (source, args, context, info) => {
          guard(context, field);
          return original(source, args, context, info);
        };
      }
    }
  }
  return schema;
}
