/**
 * Every root field requires the private key unless it is marked otherwise. A customer session is limited to its customer
 * only here: at root fields by their argument `customer_id`, at links between resources by their mark.
 */
import { type GraphQLField, type GraphQLSchema, isIntrospectionType, isObjectType } from 'graphql';
import { Extensions } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import {
  type Context,
  type KeyRights,
  OPERATOR_ROLES,
  type OperatorRole,
  SCOPE_READ,
  type SessionRights,
} from './context';

/** Also accepts the public key. */
export const PublicKey = (): MethodDecorator => Extensions({ publicKey: true }) as MethodDecorator;

/** The field does not exist in production. */
export const SandboxOnly = (): MethodDecorator => Extensions({ sandboxOnly: true }) as MethodDecorator;

/** The stricter rate limit applies, because the acquirer verifies a card. */
export const CardRateLimit = (): MethodDecorator => Extensions({ cardRateLimit: true }) as MethodDecorator;

/** A fixed cost, independent of the selected fields. */
export const Complexity = (complexity: number): MethodDecorator => Extensions({ complexity }) as MethodDecorator;

/** A suspended merchant may not call it, because it moves money or saves a card. */
export const RequiresActiveMerchant = (): MethodDecorator =>
  Extensions({ requiresActiveMerchant: true }) as MethodDecorator;

/** Rejects read-only keys although it changes nothing. */
export const FullKey = (): MethodDecorator => Extensions({ fullKey: true }) as MethodDecorator;

/** Rejects every session, because it would grant more rights than the session has. */
export const NoSessions = (): MethodDecorator => Extensions({ noSessions: true }) as MethodDecorator;

/**
 * Money can leave the service: a session may call it only within 10 minutes of its creation, and only if it named the
 * mutation in its scope, or if the private key was given again to create its cookie.
 */
export const RecentKey = (): MethodDecorator => Extensions({ recentKey: true }) as MethodDecorator;

/**
 * Accepts customer sessions. A root field must accept `customer_id` and return only resources of that customer; a link must
 * lead to a resource of the same customer.
 */
export const AllowCustomerSession = (): MethodDecorator =>
  Extensions({ allowCustomerSession: true }) as MethodDecorator;

/** Only for operators with this role or a higher one. */
export const Operators = (role: OperatorRole): MethodDecorator => Extensions({ operatorRole: role }) as MethodDecorator;

/** Merchants and operators have their own GraphQL APIs. */
export type Audience = 'merchants' | 'operators';

export function requireAudience(audience: Audience, { keyKind }: Pick<Context, 'keyKind'>): void {
  if ((keyKind === 'operator') === (audience === 'operators')) return;
  throw new ApiError('private_key_needed', audience === 'operators' ? 'operator_key_needed' : 'merchant_key_needed');
}

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
    throw new ApiError('private_key_needed', rightsProblem(rights.session));
  if (extensions.recentKey) requireRecentKey(rights, name);
  if (rights.isSuspended && extensions.requiresActiveMerchant) throw new ApiError('suspended');
}

const RECENT_MS = 10 * 60_000;

/** For a mutation of which only some inputs are limited as by `RecentKey`. */
export function requireRecentKey({ session }: KeyRights, mutation: string): void {
  if (!session) return;
  const { sign_in, scope, creation_date } = session;
  const isGranted = sign_in === null ? scope.includes(mutation) : sign_in === 'repeated';
  if (!isGranted || Date.now() > creation_date.getTime() + RECENT_MS)
    throw new ApiError('private_key_needed', sign_in === null ? 'named_in_scope' : 'private_key_again');
}

function rightsProblem(session: SessionRights | undefined): 'read_only_key' | 'not_permitted' | 'session_scope' {
  if (!session) return 'read_only_key';
  return session.scope.every(word => word === SCOPE_READ) ? 'not_permitted' : 'session_scope';
}

/** Operators' keys are only for operators' operations, and other keys never are. */
function rejectUnlessOperator(needed: OperatorRole | undefined, role: OperatorRole | undefined): void {
  if (!needed) throw new ApiError('private_key_needed', 'merchant_key_needed');
  if (!role) throw new ApiError('private_key_needed', 'operator_key_needed');
  requireRole(needed, { role });
}

/** For a mutation of which some inputs need a higher role than its decorator names. */
export function requireRole(needed: OperatorRole, { role = 'read' }: Pick<KeyRights, 'role'>): void {
  if (OPERATOR_ROLES.indexOf(role) < OPERATOR_ROLES.indexOf(needed))
    throw new ApiError('private_key_needed', 'operator_role_needed', { role: needed });
}

function rejectBeyondCustomer(
  { customer_id }: SessionRights,
  { allowCustomerSession }: Readonly<Record<string, unknown>>,
): void {
  if (customer_id !== null && !allowCustomerSession) throw new ApiError('private_key_needed', 'one_customer_session');
}

/** Limits the arguments of a request to the customer of its session. Other customers do not exist for the session. */
export function withinCustomer<T extends Record<string, unknown>>({ rights }: Pick<Context, 'rights'>, args: T): T {
  const own = rights.session?.customer_id ?? null;
  if (own === null) return args;
  const { customer_id } = args;
  if (customer_id !== undefined && customer_id !== null && customer_id !== own) throw new ApiError('not_found');
  return { ...args, customer_id: own };
}

/** Wraps the fields of the schema, so that REST and GraphQL share the check. */
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
    // Introspection types are shared by all schemas.
    if (!isObjectType(type) || isIntrospectionType(type) || roots.includes(type)) continue;
    for (const field of Object.values(type.getFields())) wrapLink(field);
  }
  return schema;
}

/** Throws if the caller may not follow this link between resources. */
export function guardLink({ rights }: Pick<Context, 'rights'>, { extensions }: GraphQLField<unknown, Context>): void {
  if (rights.session) rejectBeyondCustomer(rights.session, extensions);
}

/** Only links have resolvers; other fields return properties of their object. */
function wrapLink(field: GraphQLField<unknown, Context>): void {
  const { resolve, extensions } = field;
  if (!resolve || extensions.allowCustomerSession) return;
  field.resolve = (source, args, context, info) => {
    guardLink(context, field);
    return resolve(source, args, context, info);
  };
}
