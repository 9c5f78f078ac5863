/** Events nested in charges and subscriptions: one SQL statement for all objects of a request. */
import { Args, ArgsType, type ClassType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Subscription } from '../../../billing/subscriptions/fields';
import { EventConnection } from '../../../events/fields';
import { Transaction } from '../../../payments/charges/fields';
import { cursorPaged } from '../../../schema/connections/window';
import type { Context } from '../../../schema/operation/context';
import { AllowCustomerSession } from '../../../schema/operation/guard';
import { eventsOfObject } from './rows';

@ArgsType()
class NestedEventsConnectionArgs extends cursorPaged(class {}) {}

function eventLinksOf(type: ClassType<{ id: string }>) {
  @Resolver(() => type)
  class EventLinks {
    @FieldResolver(() => EventConnection, { description: 'Events of the object, most recent first' })
    @AllowCustomerSession()
    events(
      @Ctx() { db }: Context,
      @Root() { id }: { id: string },
      @Args(() => NestedEventsConnectionArgs) window: NestedEventsConnectionArgs,
    ): Promise<EventConnection> {
      return eventsOfObject.connection(db, id, window);
    }
  }
  return EventLinks;
}

export const TransactionEventLinks = eventLinksOf(Transaction);
export const SubscriptionEventLinks = eventLinksOf(Subscription);
