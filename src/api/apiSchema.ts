import { type GraphQLSchema, getNullableType } from 'graphql';
import { buildSchemaSync, type MiddlewareFn } from 'type-graphql';
import { LiveRequestResolver } from '../accounts/activation/resolver';
import { AuditLogResolver } from '../accounts/auditLog/resolver';
import { KeyResolver } from '../accounts/merchants/keyResolver';
import { MerchantResolver } from '../accounts/merchants/resolver';
import { SessionResolver } from '../accounts/sessions/resolver';
import { CouponResolver } from '../billing/coupons/resolver';
import { SubscriptionLinkResolver } from '../billing/payerPages/resolver';
import { PaymentLinkResolver } from '../billing/paymentLinks/resolver';
import { PlanReplacementResolver } from '../billing/planReplacements/resolver';
import { PlanResolver } from '../billing/plans/resolver';
import { CustomerPortalResolver } from '../billing/portals/resolver';
import { SubscriptionHistoryResolver, SubscriptionOutlookResolver } from '../billing/subscriptions/history/resolver';
import { SubscriptionPriceResolver } from '../billing/subscriptions/pricing/resolver';
import { SubscriptionResolver } from '../billing/subscriptions/resolver';
import { EventResolver } from '../events/resolver';
import { WebhookResolver } from '../notifications/webhooks/resolver';
import { OperatorBulkActions } from '../operations/operators/bulk/resolver';
import { OperatorHolds } from '../operations/operators/holds/resolver';
import { OperatorLiveRequests } from '../operations/operators/liveRequests';
import { OperationsResolver } from '../operations/operators/operations/resolver';
import { OperatorPageResolver } from '../operations/operators/page/resolver';
import { OperatorResolver } from '../operations/operators/resolver';
import { OperatorSettlements } from '../operations/operators/settlements';
import { rejectCardNumbers } from '../payments/cards/rejectNumbers';
import { CardResolver } from '../payments/cards/resolver';
import { ChargeResolver } from '../payments/charges/resolver';
import { CustomerResolver } from '../payments/customers/resolver';
import { DeviceResolver } from '../payments/devices/resolver';
import { FeeResolver } from '../payments/fees/resolver';
import { DryRunResolver, FraudRuleResolver } from '../payments/fraudRules/resolver';
import { PayoutResolver } from '../payments/payouts/resolver';
import { PseResolver } from '../payments/pse/resolver';
import { ReceiptResolver } from '../payments/receipts/resolver';
import { SettlementResolver } from '../payments/settlements/resolver';
import { StatementResolver } from '../payments/statement/resolver';
import { TokenResolver } from '../payments/tokens/resolver';
import { SearchResolver } from '../reports/search/resolver';
import { StatsResolver } from '../reports/stats/resolver';
import { SandboxResolver } from '../sandbox/resolver';
import { check } from '../schema/check';
import { describeErrors } from '../schema/errors/mutationErrors';
import type { Context } from '../schema/operation/context';
import { guarded } from '../schema/operation/guard';
import {
  CardConnections,
  CustomerConnections,
  PlanConnections,
  SubscriptionConnections,
} from './graphql/links/connections';
import { WebhookDeliveries } from './graphql/links/deliveries';
import { EventObjects } from './graphql/links/eventObjects';
import { SubscriptionEventLinks, TransactionEventLinks } from './graphql/links/events';
import { CardLinks, PaymentLinkLinks, SubscriptionLinks, TransactionLinks } from './graphql/links/resources';
import { preferNotFound } from './resources';

const notFoundFirst: MiddlewareFn<Context> = ({ context, args }, next) =>
  next().catch(error => preferNotFound(context, args, error));

const rejectPubSub = (): never => {
  throw new Error('the schema publishes no events');
};

/** Makes root fields nullable, so that a failed field does not discard the results of the other fields. */
function nullableRoots(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type);
  return schema;
}

export const apiSchema: GraphQLSchema = describeErrors(
  guarded(
    nullableRoots(
      buildSchemaSync({
        resolvers: [
          MerchantResolver,
          StatementResolver,
          SettlementResolver,
          StatsResolver,
          SearchResolver,
          AuditLogResolver,
          KeyResolver,
          SessionResolver,
          CustomerResolver,
          TokenResolver,
          DeviceResolver,
          CardResolver,
          ChargeResolver,
          PseResolver,
          ReceiptResolver,
          FeeResolver,
          PayoutResolver,
          FraudRuleResolver,
          DryRunResolver,
          PlanResolver,
          PlanReplacementResolver,
          SubscriptionResolver,
          SubscriptionOutlookResolver,
          SubscriptionPriceResolver,
          SubscriptionLinkResolver,
          CustomerPortalResolver,
          CouponResolver,
          SubscriptionHistoryResolver,
          PaymentLinkResolver,
          PaymentLinkLinks,
          SubscriptionLinks,
          CardLinks,
          TransactionLinks,
          SubscriptionConnections,
          PlanConnections,
          CustomerConnections,
          CardConnections,
          EventResolver,
          EventObjects,
          TransactionEventLinks,
          SubscriptionEventLinks,
          WebhookResolver,
          WebhookDeliveries,
          SandboxResolver,
          LiveRequestResolver,
          OperatorResolver,
          OperatorLiveRequests,
          OperatorHolds,
          OperatorBulkActions,
          OperatorSettlements,
          OperationsResolver,
          OperatorPageResolver,
        ],
        validateFn: (value, type, { context }) => {
          check(value, type);
          return rejectCardNumbers(context as Context, value, type);
        },
        // Required by the library; the subscriptions here have their own sources.
        pubSub: { publish: () => undefined, subscribe: () => rejectPubSub() },
        globalMiddlewares: [notFoundFirst],
        // A test runs this check; here it would take a tenth of the start-up time.
        skipCheck: true,
      }),
    ),
  ),
);
