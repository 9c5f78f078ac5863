/** Every kind of caller, every root field and link of the schema, and the response of the guard for each pair. */
import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { apiSchema } from '../../../src/api/apiSchema';
import { merchantSchema, operatorSchema } from '../../../src/api/graphql/publishedSchemas';
import { ApiError } from '../../../src/platform/errors';
import {
  type CallerKind,
  type Context,
  type KeyRights,
  OPERATOR_ROLES,
  type OperatorRole,
  SCOPE_ALL,
} from '../../../src/schema/operation/context';
import { guard, guardLink } from '../../../src/schema/operation/guard';

export type Field = GraphQLField<unknown, Context>;
export type Environment = Context['environment'];
type Caller = Pick<Context, 'keyKind' | 'rights'>;

interface SchemaField {
  type: string;
  name: string;
  field: Field;
}

const rootsOf = (schema: GraphQLSchema): GraphQLObjectType[] =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(type => type ?? []);
const byName = (one: SchemaField, other: SchemaField): number => (one.name < other.name ? -1 : 1);
const fieldsOf = (type: GraphQLObjectType): SchemaField[] =>
  Object.values(type.getFields())
    .map(field => ({ type: type.name, name: `${type.name}.${field.name}`, field }))
    .sort(byName);

const SCHEMAS = [merchantSchema, operatorSchema];

/** The fields of both schemas. */
export const rootFields: readonly SchemaField[] = SCHEMAS.flatMap(rootsOf).flatMap(fieldsOf);

/** The path of the GraphQL API with this field. */
export const pathOf = ({ type, field }: SchemaField): string => {
  if (rootsOf(operatorSchema).some(root => root.getFields()[field.name] === field)) return '/operator/graphql';
  return type === 'Subscription' ? '/graphql/stream' : '/graphql';
};

/** Includes the lists of REST, which GraphQL clients cannot call, and the connections under their internal names. */
export const internalFields: readonly SchemaField[] = rootsOf(apiSchema).flatMap(fieldsOf);

/** The fields with a resolver. All other fields return only values of their object. */
export const links: readonly SchemaField[] = [...new Set(SCHEMAS.flatMap(schema => Object.values(schema.getTypeMap())))]
  .flatMap(type => ('isTypeOf' in type && !type.name.startsWith('__') ? [type as GraphQLObjectType] : []))
  .filter(type => !SCHEMAS.flatMap(rootsOf).includes(type))
  .flatMap(fieldsOf)
  .filter(({ field }) => field.resolve)
  .sort(byName);

const caller = (keyKind: CallerKind, rights: Partial<KeyRights> = {}): Caller => ({
  keyKind,
  rights: { isReadOnly: false, isSuspended: false, role: undefined, ...rights },
});
const session = (word: string, customer_id: string | null): Caller =>
  caller('session', {
    isReadOnly: word !== SCOPE_ALL,
    session: { scope: [word], customer_id, sign_in: null, creation_date: new Date() },
  });

/** A session for one customer with all other rights. */
export const ONE_CUSTOMER: Caller = session(SCOPE_ALL, 'own');

/** The scope of a session that is "named" is the name of the field itself. */
const callers = {
  'private key: active': () => caller('private'),
  'private key: suspended': () => caller('private', { isSuspended: true }),
  'private key: read-only': () => caller('private', { isReadOnly: true }),
  'public key: active': () => caller('public'),
  'session: read': () => session('read', null),
  'session: named': (field: string) => session(field, null),
  'session: all': () => session(SCOPE_ALL, null),
  'customer session: read': () => session('read', 'own'),
  'customer session: named': (field: string) => session(field, 'own'),
  'customer session: all': () => ONE_CUSTOMER,
  ...(Object.fromEntries(
    OPERATOR_ROLES.map(role => [`operator: ${role}`, () => caller('operator', { role })]),
  ) as Record<`operator: ${OperatorRole}`, () => Caller>),
} satisfies Record<string, (field: string) => Caller>;

export type CallerName = keyof typeof callers;
export const CALLERS = Object.keys(callers) as CallerName[];
export const callerOf = (name: CallerName, field: Field): Caller => callers[name](field.name);

function refusalOf(check: () => void): ApiError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The reason why this caller may not use the root field; undefined if allowed. */
export const refusal = (name: CallerName, field: Field, environment: Environment = 'sandbox'): ApiError | undefined =>
  refusalOf(() => guard({ ...callerOf(name, field), environment }, field));

/** The reason why a session for one customer may not follow the link; undefined if allowed. */
export const linkRefusal = (field: Field): ApiError | undefined => refusalOf(() => guardLink(ONE_CUSTOMER, field));
