/** What an event is about, with real types. Events keep it as JSON, as it was then. */
import { createUnionType, FieldResolver, Resolver, Root } from 'type-graphql';
import { Transaction } from '../charges/fields';
import { Event } from '../events/fields';
import { Payout } from '../payouts/fields';
import { OfCustomer } from '../schema/guard';
import { revive } from '../schema/render';
import { Settlement } from '../settlements/fields';
import { Subscription } from './fields';

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
  @OfCustomer()
  object(@Root() { type, transaction, subscription, settlement }: Event): typeof EventObject | null {
    if (transaction) return type.startsWith('payout.') ? revive(Payout, transaction) : revive(Transaction, transaction);
    if (subscription) return revive(Subscription, subscription);
    return settlement ? revive(Settlement, settlement) : null;
  }
}
