/** Typical sizes of lists without page arguments, for the cost of a document. */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';

const mean = <T>(items: readonly T[], lengthOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + lengthOf(item), 0) / items.length;
const fieldsOf = (type: GraphQLNamedType) => (isObjectType(type) ? Object.values(type.getFields()) : []);

export const listSizes: Readonly<Record<string, number>> = {
  'ApiKey.addresses': 5,
  'AuditFinding.examples': 2,
  'ChargeInvoice.extras': 5,
  'Clock.waiting_for': 10,
  'Coupon.plan_ids': 10,
  'CustomerSubscription.extras': 5,
  'Delivery.attempts': 16,
  'DrainedWorkers.ids': 10,
  'Query.extras': 20,
  'Query.operatorKeys': 20,
  'EnvironmentFigures.minutes': 60,
  'FraudRule.countries': 10,
  'FraudRule.values': 50,
  'ActionPreview.steps': 4,
  'BulkPreview.steps': 4,
  'BulkPreview.subscription_ids': 10,
  'Merchant.payer_actions': 2,
  'Merchant.payer_emails': 14,
  'MerchantActivity.charges': 10,
  'MerchantActivity.payouts': 10,
  'MerchantActivity.subscriptions': 10,
  'MerchantActivity.webhooks': 3,
  'Mutation.settle': 2,
  'Operations.audit': 9,
  'Operations.environments': 2,
  'Operations.paused': 10,
  'Operations.unknowns': 5,
  'Operations.workers': 10,
  'PaymentLink.methods': 2,
  'PaymentLink.suggested_amounts': 3,
  'PlanReplacement.skipped_subscriptions': 20,
  'Script.outcomes': 20,
  'Session.origins': 5,
  'Session.scope': 10,
  'Story.actions': 2,
  'Story.workflows': 2,
  'RecoveryStats.ways': 4,
  'Stats.days': 30,
  'Stats.declines': 10,
  'Stats.plans': 100,
  'Stats.upcoming': 30,
  'SubscriptionPreview.charges': 12,
  'Transaction.fraud_rules': 1,
  'Transaction.refunds': 3,
  'Webhook.event_types': 20,
};

const introspectionCache = new WeakMap<GraphQLSchema, Readonly<Record<string, number>>>();

/** Average sizes, so that introspecting the whole schema costs its real size. */
export function introspectionSizes(schema: GraphQLSchema): Readonly<Record<string, number>> {
  const sizes = introspectionCache.get(schema) ?? measure(schema);
  introspectionCache.set(schema, sizes);
  return sizes;
}

function measure(schema: GraphQLSchema): Readonly<Record<string, number>> {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  return {
    '__Directive.args': mean(directives, ({ args }) => args.length),
    '__Directive.locations': mean(directives, ({ locations }) => locations.length),
    '__Field.args': mean(types.flatMap(fieldsOf), ({ args }) => args.length),
    '__Schema.directives': directives.length,
    '__Schema.types': types.length,
    '__Type.enumValues': mean(types, type => (isEnumType(type) ? type.getValues().length : 0)),
    '__Type.fields': mean(types, type => fieldsOf(type).length),
    '__Type.inputFields': mean(types, type => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    '__Type.interfaces': mean(types, type => (isObjectType(type) ? type.getInterfaces().length : 0)),
    '__Type.possibleTypes': mean(types, type => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0)),
  };
}
