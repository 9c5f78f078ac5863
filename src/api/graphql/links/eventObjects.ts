/** The typed object of an event, which is stored as JSON. */
import { createUnionType, FieldResolver, Resolver, Root } from 'type-graphql';
import { Subscription } from '../../../billing/subscriptions/fields';
import { Event } from '../../../events/fields';
import { Transaction } from '../../../payments/charges/fields';
import { Payout } from '../../../payments/payouts/fields';
import { Settlement } from '../../../payments/settlements/fields';
import { AllowCustomerSession } from '../../../schema/operation/guard';
import { revive } from '../../../schema/render';

const EventObject = createUnionType({
  name: 'EventObject',
  description: 'The object of an event',
  types: () => [Transaction, Payout, Subscription, Settlement] as const,
});

@Resolver(() => Event)
export class EventObjects {
  @FieldResolver(() => String, { description: 'Name of the type in REST and webhooks, such as charge.succeeded' })
  @AllowCustomerSession()
  name(@Root() { type }: Event): string {
    return type;
  }

  @FieldResolver(() => EventObject, {
    nullable: true,
    description: 'Snapshot of the object; null if it is not a transaction, payout, subscription or settlement',
  })
  @AllowCustomerSession()
  object(@Root() { type, transaction, subscription, settlement }: Event): typeof EventObject | null {
    if (transaction) return type.startsWith('payout.') ? revive(Payout, transaction) : revive(Transaction, transaction);
    if (subscription) return revive(Subscription, subscription);
    return settlement ? revive(Settlement, settlement) : null;
  }
}
