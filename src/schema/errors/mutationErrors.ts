/** Adds to the description of each mutation its specific errors, derived from its marks and arguments. */
import { type GraphQLField, type GraphQLInputType, type GraphQLSchema, getNamedType } from 'graphql';
import type { ErrorKind } from '../../platform/errors';

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

/** Mutations that depend on the state of their resource. */
const REFUSED_BY_STATE = [
  ...['approveLiveRequest', 'captureCharge', 'collectLiveKeys', 'createFraudRule', 'createKey', 'createPayout'],
  ...['createPse', 'createSession', 'createWebhook', 'decideChargeback', 'deleteCard', 'deleteCustomer'],
  ...['holdBilling', 'releaseBilling'],
  ...['deleteFraudRule', 'payCharge', 'payMerchant', 'redeliver', 'redeliverRange', 'refundCharge', 'refundFee'],
  ...['refuseLiveRequest', 'requestLive', 'resumeMerchant', 'returnLiveRequest', 'revokeKey', 'revokeOperatorKey'],
  ...['rotateKey', 'suspendMerchant', 'testWebhook', 'updateKey', 'updateLiveRequest', 'updateSubscription'],
];
/** Mutations that a suspended merchant may use in part. */
const PARTLY_SUSPENDED = ['updateSubscription'];
const DEBITS = ['createFee', 'createPayout', 'payMerchant', 'refundCharge', 'refundFee'];

function mutationErrors({ name, args, extensions }: GraphQLField<unknown, unknown>): ErrorKind[] {
  const names = args.flatMap(({ name, type }) => [name, ...namesWithin(type)]);
  // An unknown card in a body is an invalid value; an unknown customer or plan is not found.
  const isAboutOne =
    args.some(({ name }) => name === 'id' || name.endsWith('_id')) ||
    names.some(name => name === 'plan_id' || name === 'customer_id');
  return [
    ...new Set<ErrorKind>([
      ...(isAboutOne || extensions.sandboxOnly ? (['not_found'] as const) : []),
      ...(extensions.requiresActiveMerchant || PARTLY_SUSPENDED.includes(name) ? (['suspended'] as const) : []),
      ...names.flatMap(field => ERRORS_OF_FIELDS[field] ?? []),
      ...(name === 'createCard' ? (['card_exists'] as const) : []),
      ...(extensions.cardRateLimit ? DECLINES : []),
      ...(REFUSED_BY_STATE.includes(name) ? (['not_allowed'] as const) : []),
      ...(DEBITS.includes(name) ? (['insufficient_balance'] as const) : []),
    ]),
  ];
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
