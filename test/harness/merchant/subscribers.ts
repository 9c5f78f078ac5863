/** Customers with a card, and their subscriptions, by the real clock. */
import type { testBilling } from './subscriptions';

export function subscribersOf({ shop, subscriptionCalls }: ReturnType<typeof testBilling>) {
  const newSubscriber = async (card_number?: string) => {
    const customer_id = await shop.newCustomer({ requires_account: false });
    const source_id = await shop.newCard(`/customers/${customer_id}/cards`, card_number);
    return { customer_id, source_id, path: `/customers/${customer_id}/subscriptions` };
  };
  const newSubscription = async (trial_days: number, card_number?: string) => {
    const { customer_id, source_id, path } = await newSubscriber(card_number);
    const { id } = (await shop.post(path, { plan_id: await shop.newPlan({ trial_days }), source_id })).body;
    return { ...subscriptionCalls(customer_id, id), source_id };
  };
  return { newSubscriber, newSubscription };
}
