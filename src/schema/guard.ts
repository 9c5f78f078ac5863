/** Every root field needs the private key unless it is marked otherwise, in Query, Mutation and Subscription alike. */
import type { GraphQLField, GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import { type Context, OPERATOR_ROLES, type OperatorRole } from '../context';
import { ApiError } from '../platform/errors';

/** On a resolver's method: the public key is accepted too. */
export const PublicKey = (): MethodDecorator => Extensions({ publicKey: true }) as MethodDecorator;

/** On a resolver's method: the field does not exist in production. */
export const SandboxOnly = (): MethodDecorator => Extensions({ sandboxOnly: true }) as MethodDecorator;

/** On a resolver's method: the acquirer is made to look at a card, which is limited more strictly. */
export const SendsCard = (): MethodDecorator => Extensions({ sendsCard: true }) as MethodDecorator;

/** On a resolver's method: it moves money, or would, or saves a card, which a suspended merchant cannot do. */
export const WhileActive = (): MethodDecorator => Extensions({ whileActive: true }) as MethodDecorator;

/** On a resolver's method: a key that may only read is refused, although nothing may be changed. */
export const FullKey = (): MethodDecorator => Extensions({ fullKey: true }) as MethodDecorator;

/** On a resolver's method: only for operators with this role or a higher one. */
export const Operators = (role: OperatorRole): MethodDecorator => Extensions({ operatorRole: role }) as MethodDecorator;

type GuardedContext = Pick<Context, 'keyKind' | 'environment' | 'rights'>;

export function guard(
  { keyKind: key, environment, rights }: GuardedContext,
  { extensions }: GraphQLField<unknown, Context>,
): void {
  const role = extensions.operatorRole as OperatorRole | undefined;
  if (role || key === 'operator') rejectUnlessOperator(role, rights.role);
  if (key === 'public' && !extensions.publicKey) throw new ApiError('private_key_needed');
  if (environment === 'production' && extensions.sandboxOnly) throw new ApiError('not_found');
  if (rights.isReadOnly && (extensions.writes || extensions.fullKey))
    throw new ApiError('private_key_needed', 'This key may only read');
  if (rights.isSuspended && extensions.whileActive) throw new ApiError('suspended');
}

/** A key of an operator is for their operations only, and no other key is for those. */
function rejectUnlessOperator(needed: OperatorRole | undefined, role: OperatorRole | undefined): void {
  if (!needed) throw new ApiError('private_key_needed', 'This call needs a key of a merchant');
  if (!role) throw new ApiError('private_key_needed', 'This call needs the key of an operator');
  if (OPERATOR_ROLES.indexOf(role) < OPERATOR_ROLES.indexOf(needed))
    throw new ApiError('private_key_needed', `This call needs an operator with the role ${needed}`);
}

/** Wraps the fields themselves, so that neither REST nor GraphQL can forget the check. */
export function guarded(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (type === schema.getMutationType()) field.extensions = { ...field.extensions, writes: true };
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
