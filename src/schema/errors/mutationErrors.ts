/**
 * The errors that each mutation can return in addition to the common ones, for its description. Most are derived from
 * its decorators and arguments; `@Errors` names the rest.
 */
import { type GraphQLField, type GraphQLInputType, type GraphQLSchema, getNamedType } from 'graphql';
import { Extensions } from 'type-graphql';
import { ERRORS, type ErrorKind } from '../../platform/errors';

const DECLINES: readonly ErrorKind[] = [
  'transfer_refused',
  'declined',
  'card_expired',
  'insufficient_funds',
  'card_stolen',
  'fraud',
  'not_allowed',
  'not_online',
  'card_lost',
  'card_restricted',
  'card_retained',
  'bank_authorization',
];

/** Errors by fields of the body and its card. */
const ERRORS_OF_FIELDS: Readonly<Record<string, readonly ErrorKind[]>> = {
  card_number: ['wrong_check_digit', 'cvv2_missing', 'test_number'],
  expiration_year: ['expiration_in_past'],
  cvv2: ['wrong_cvv2'],
  order_id: ['order_id_exists'],
  external_id: ['external_id_exists'],
};

/** On a resolver's method: the errors that depend on the state of the resource, in addition to the derived ones. */
export const Errors = (...errors: ErrorKind[]): MethodDecorator => Extensions({ errors }) as MethodDecorator;

function mutationErrors({ args, extensions }: GraphQLField<unknown, unknown>): ErrorKind[] {
  const names = args.flatMap(({ name, type }) => [name, ...namesWithin(type)]);
  // An unknown card in a body is an invalid value; an unknown customer or plan is not found.
  const isAboutOne =
    args.some(({ name }) => name === 'id' || name.endsWith('_id')) ||
    names.some(name => name === 'plan_id' || name === 'plan_ids' || name === 'customer_id');
  const kinds = new Set<ErrorKind>([
    ...(isAboutOne || extensions.sandboxOnly ? (['not_found'] as const) : []),
    ...(extensions.requiresActiveMerchant ? (['suspended'] as const) : []),
    ...names.flatMap(field => ERRORS_OF_FIELDS[field] ?? []),
    ...(extensions.cardRateLimit ? DECLINES : []),
    ...((extensions.errors as ErrorKind[] | undefined) ?? []),
  ]);
  return ERRORS.map(({ kind }) => kind).filter(kind => kinds.has(kind));
}

/** Includes the fields of the card. */
function namesWithin(type: GraphQLInputType): string[] {
  const body = getNamedType(type);
  if (!('getFields' in body)) return [];
  return Object.values(body.getFields()).flatMap(field => [
    field.name,
    ...(field.name === 'card' ? namesWithin(field.type) : []),
  ]);
}

export function describeErrors(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const kinds = mutationErrors(field);
    if (kinds.length > 0) field.description = `${field.description}. Errors: ${kinds.join(', ')}`;
  }
  return schema;
}
