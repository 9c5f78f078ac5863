/**
 * Every root field needs the private key unless it is marked otherwise, in Query, Mutation and Subscription alike. A
 * session that is for one customer is kept to that customer here and nowhere else: at root fields by their argument
 * `customer_id`, at the links between resources by their mark.
 */
import { type GraphQLField, type GraphQLSchema, isIntrospectionType, isObjectType } from 'graphql';
import { Extensions } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { type Context, OPERATOR_ROLES, type OperatorRole, type SessionRights } from './context';

/** On a resolver's method: the public key is accepted too. */
export const PublicKey = (): MethodDecorator => Extensions({ publicKey: true }) as MethodDecorator;

/** On a resolver's method: the field does not exist in production. */
export const SandboxOnly = (): MethodDecorator => Extensions({ sandboxOnly: true }) as MethodDecorator;

/** On a resolver's method: the acquirer is made to look at a card, which is limited more strictly. */
export const CardRateLimit = (): MethodDecorator => Extensions({ cardRateLimit: true }) as MethodDecorator;

/** On a resolver's method: it takes as long as reading so many fields, whatever is asked of it. */
export const Complexity = (complexity: number): MethodDecorator => Extensions({ complexity }) as MethodDecorator;

/** On a resolver's method: it moves money, or would, or saves a card, which a suspended merchant cannot do. */
export const RequiresActiveMerchant = (): MethodDecorator =>
  Extensions({ requiresActiveMerchant: true }) as MethodDecorator;

/** On a resolver's method: a key that may only read is refused, although nothing may be changed. */
export const FullKey = (): MethodDecorator => Extensions({ fullKey: true }) as MethodDecorator;

/** On a resolver's method: no session may call it, whatever its scope; it would give more than the session has. */
export const NoSessions = (): MethodDecorator => Extensions({ noSessions: true }) as MethodDecorator;

/**
 * On a resolver's method: a session for one customer may call it. A root field must take `customer_id` and answer
 * nothing of anybody else then; a link must lead to what belongs to the same customer.
 */
export const AllowCustomerSession = (): MethodDecorator =>
  Extensions({ allowCustomerSession: true }) as MethodDecorator;

/** On a resolver's method: only for operators with this role or a higher one. */
export const Operators = (role: OperatorRole): MethodDecorator => Extensions({ operatorRole: role }) as MethodDecorator;

type GuardedContext = Pick<Context, 'keyKind' | 'environment' | 'rights'>;

export function guard(
  { keyKind: key, environment, rights }: GuardedContext,
  { name, extensions }: GraphQLField<unknown, Context>,
): void {
  const role = extensions.operatorRole as OperatorRole | undefined;
  if (role || key === 'operator') rejectUnlessOperator(role, rights.role);
  if (key === 'public' && !extensions.publicKey) throw new ApiError('private_key_needed');
  if (environment === 'production' && extensions.sandboxOnly) throw new ApiError('not_found');
  if (key === 'session' && extensions.noSessions) throw new ApiError('private_key_needed');
  if (rights.session) rejectBeyondCustomer(rights.session, extensions);
  const isInScope = rights.session?.scope.includes(name);
  if (rights.isReadOnly && ((extensions.writes && !isInScope) || extensions.fullKey))
    throw new ApiError('private_key_needed', rights.session ? 'session_scope' : 'read_only_key');
  if (rights.isSuspended && extensions.requiresActiveMerchant) throw new ApiError('suspended');
}

/** A key of an operator is for their operations only, and no other key is for those. */
function rejectUnlessOperator(needed: OperatorRole | undefined, role: OperatorRole | undefined): void {
  if (!needed) throw new ApiError('private_key_needed', 'merchant_key_needed');
  if (!role) throw new ApiError('private_key_needed', 'operator_key_needed');
  if (OPERATOR_ROLES.indexOf(role) < OPERATOR_ROLES.indexOf(needed))
    throw new ApiError('private_key_needed', 'operator_role_needed', { role: needed });
}

function rejectBeyondCustomer(
  { customer_id }: SessionRights,
  { allowCustomerSession }: Readonly<Record<string, unknown>>,
): void {
  if (customer_id !== null && !allowCustomerSession) throw new ApiError('private_key_needed', 'one_customer_session');
}

/**
 * The arguments of a root field, or of anything else that a request names, as a session for one customer may give them.
 * Another customer does not exist for it.
 */
export function withinCustomer<T extends Record<string, unknown>>({ rights }: Pick<Context, 'rights'>, args: T): T {
  const own = rights.session?.customer_id ?? null;
  if (own === null) return args;
  const { customer_id } = args;
  if (customer_id !== undefined && customer_id !== null && customer_id !== own) throw new ApiError('not_found');
  return { ...args, customer_id: own };
}

/** Wraps the fields themselves, so that neither REST nor GraphQL can forget the check. */
export function guarded(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of roots) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (type === schema.getMutationType()) field.extensions = { ...field.extensions, writes: true };
      for (const method of ['resolve', 'subscribe'] as const) {
        const original = field[method];
        if (!original) continue;
        field[method] = (source, args, context, info) => {
          guard(context, field);
          return original(source, withinCustomer(context, args), context, info);
        };
      }
    }
  }
  for (const type of Object.values(schema.getTypeMap())) {
    // Those of introspection are shared by all schemas.
    if (!isObjectType(type) || isIntrospectionType(type) || roots.includes(type)) continue;
    for (const field of Object.values(type.getFields())) wrapLink(field);
  }
  return schema;
}

/** Throws if the caller may not follow this link from one resource to another. */
export function guardLink({ rights }: Pick<Context, 'rights'>, { extensions }: GraphQLField<unknown, Context>): void {
  if (rights.session) rejectBeyondCustomer(rights.session, extensions);
}

/** A field without a resolver of its own shows what its object already has. */
function wrapLink(field: GraphQLField<unknown, Context>): void {
  const { resolve, extensions } = field;
  if (!resolve || extensions.allowCustomerSession) return;
  field.resolve = (source, args, context, info) => {
    guardLink(context, field);
    return resolve(source, args, context, info);
  };
}
