import { type GraphQLSchema, getNullableType } from 'graphql';
import { buildSchemaSync, type MiddlewareFn } from 'type-graphql';
import { AuditLogResolver } from '../auditLog/resolver';
import { rejectCardNumbers } from '../cards/rejectNumbers';
import { CardResolver } from '../cards/resolver';
import { ChargeResolver } from '../charges/resolver';
import type { Context } from '../context';
import { CustomerResolver } from '../customers/resolver';
import { DeviceResolver } from '../devices/resolver';
import { EventResolver } from '../events/resolver';
import { FeeResolver } from '../fees/resolver';
import { FraudRuleResolver } from '../fraudRules/resolver';
import { LiveRequestResolver } from '../liveRequests/resolver';
import { KeyResolver } from '../merchants/keyResolver';
import { MerchantResolver } from '../merchants/resolver';
import { OperatorHolds } from '../operators/holds/resolver';
import { OperatorLiveRequests } from '../operators/liveRequests';
import { OperationsResolver } from '../operators/operations/resolver';
import { OperatorResolver } from '../operators/resolver';
import { OperatorSettlements } from '../operators/settlements';
import { PayoutResolver } from '../payouts/resolver';
import { PlanResolver } from '../plans/resolver';
import { PseResolver } from '../pse/resolver';
import { SandboxResolver } from '../sandbox/resolver';
import { check } from '../schema/check';
import { describeErrors } from '../schema/errors/mutationErrors';
import { guarded } from '../schema/guard';
import { SearchResolver } from '../search/resolver';
import { SessionResolver } from '../sessions/resolver';
import { SettlementResolver } from '../settlements/resolver';
import { StatementResolver } from '../statement/resolver';
import { StatsResolver } from '../stats/resolver';
import {
  CardConnections,
  CustomerConnections,
  PlanConnections,
  SubscriptionConnections,
} from '../subscriptions/connections/resolver';
import { CustomerDeletion } from '../subscriptions/deleteCustomer';
import { SubscriptionEventLinks, TransactionEventLinks } from '../subscriptions/eventLinks';
import { EventObjects } from '../subscriptions/eventObjects';
import { CardLinks, CustomerLinks, PlanLinks, SubscriptionLinks, TransactionLinks } from '../subscriptions/links';
import { SubscriptionResolver } from '../subscriptions/resolver';
import { TokenResolver } from '../tokens/resolver';
import { WebhookDeliveries } from '../webhooks/nestedDeliveries';
import { WebhookResolver } from '../webhooks/resolver';
import { preferNotFound } from './resources';

const notFoundFirst: MiddlewareFn<Context> = ({ context, args }, next) =>
  next().catch(error => preferNotFound(context, args, error));

const rejectPubSub = (): never => {
  throw new Error('nothing is published here');
};

/** Every root field may be null: then one that fails leaves the others their data, which they may have created. */
function nullableRoots(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type);
  return schema;
}

/** Every operation of the API, for REST and GraphQL. */
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
          CustomerDeletion,
          TokenResolver,
          DeviceResolver,
          CardResolver,
          ChargeResolver,
          PseResolver,
          FeeResolver,
          PayoutResolver,
          FraudRuleResolver,
          PlanResolver,
          SubscriptionResolver,
          SubscriptionLinks,
          PlanLinks,
          CustomerLinks,
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
          OperatorSettlements,
          OperationsResolver,
        ],
        validateFn: (value, type, { context }) => {
          check(value, type);
          return rejectCardNumbers(context as Context, value, type);
        },
        // Required by the library, but every subscription here has a source of its own.
        pubSub: { publish: () => undefined, subscribe: () => rejectPubSub() },
        globalMiddlewares: [notFoundFirst],
        // A test does it; here it would be a tenth of what every process takes to start.
        skipCheck: true,
      }),
    ),
  ),
);
