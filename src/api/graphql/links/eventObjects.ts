/** What an event is about, with real types. Events keep it as JSON, as it was then. */
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
  description: 'What an event is about',
  types: () => [Transaction, Payout, Subscription, Settlement] as const,
});

@Resolver(() => Event)
export class EventObjects {
  @FieldResolver(() => EventObject, {
    nullable: true,
    description:
      'What it happened to, as it was then; null where it is neither a transaction, a subscription nor a settlement',
  })
  @AllowCustomerSession()
  object(@Root() { type, transaction, subscription, settlement }: Event): typeof EventObject | null {
    if (transaction) return type.startsWith('payout.') ? revive(Payout, transaction) : revive(Transaction, transaction);
    if (subscription) return revive(Subscription, subscription);
    return settlement ? revive(Settlement, settlement) : null;
  }
}
