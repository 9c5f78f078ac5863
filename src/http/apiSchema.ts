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
import { OperatorLiveRequests } from '../operators/liveRequests';
import { OperatorResolver } from '../operators/resolver';
import { PlanResolver } from '../plans/resolver';
import { PseResolver } from '../pse/resolver';
import { SandboxResolver } from '../sandbox/resolver';
import { check } from '../schema/check';
import { guarded } from '../schema/guard';
import { CustomerDeletion } from '../subscriptions/deleteCustomer';
import { SubscriptionEventLinks, TransactionEventLinks } from '../subscriptions/eventLinks';
import { CardLinks, CustomerLinks, PlanLinks, SubscriptionLinks, TransactionLinks } from '../subscriptions/links';
import { SubscriptionResolver } from '../subscriptions/resolver';
import { TokenResolver } from '../tokens/resolver';
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
export const apiSchema: GraphQLSchema = guarded(
  nullableRoots(
    buildSchemaSync({
      resolvers: [
        MerchantResolver,
        AuditLogResolver,
        KeyResolver,
        CustomerResolver,
        CustomerDeletion,
        TokenResolver,
        DeviceResolver,
        CardResolver,
        ChargeResolver,
        PseResolver,
        FeeResolver,
        FraudRuleResolver,
        PlanResolver,
        SubscriptionResolver,
        SubscriptionLinks,
        PlanLinks,
        CustomerLinks,
        CardLinks,
        TransactionLinks,
        EventResolver,
        TransactionEventLinks,
        SubscriptionEventLinks,
        WebhookResolver,
        SandboxResolver,
        LiveRequestResolver,
        OperatorResolver,
        OperatorLiveRequests,
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
);
