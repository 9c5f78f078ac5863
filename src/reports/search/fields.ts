import { ArgsType, ObjectType } from 'type-graphql';
import { Plan } from '../../billing/plans/fields';
import { Subscription } from '../../billing/subscriptions/fields';
import { Transaction } from '../../payments/charges/fields';
import { Customer } from '../../payments/customers/fields';
import { SEARCHABLE } from '../../schema/patterns';
import { type Class, Count, OneOf, Text } from '../../schema/shapes';

export const MIN_TEXT_CHARACTERS = 3;
const MAX_TEXT_CHARACTERS = 100;

@ArgsType()
export class SearchArgs {
  @Text('Text to search for, at least 3 characters. A card is found by its last four digits', {
    personal: true,
    max: MAX_TEXT_CHARACTERS,
    rules: { minLength: MIN_TEXT_CHARACTERS, pattern: SEARCHABLE },
    example: 'maría',
  })
  text!: string;
  @Count('Maximum number of results (default 10)', { optional: true, min: 1, max: 50 })
  limit: number = 10;
}

export type SearchRecord = Customer | Transaction | Subscription | Plan;

/** Classes by the first letter of an ID. */
const classes: Record<string, Class> = { a: Customer, t: Transaction, s: Subscription, p: Plan };
const classOf = (record: object): Class => classes[(record as SearchRecord).id[0] ?? ''] ?? Customer;

@ObjectType({ description: 'A search result' })
export class SearchResult {
  @Text('Type of the record', { values: ['customer', 'subscription', 'charge', 'plan'], example: 'customer' })
  type!: string;
  @Text('The matching field; customer or plan for a subscription found through its customer or plan', {
    values: [
      'id',
      'name',
      'email',
      'phone_number',
      'external_id',
      'order_id',
      'authorization',
      'amount',
      'card_number',
      'customer',
      'plan',
    ],
    example: 'email',
  })
  matched!: string;
  @OneOf('The matching record', 'SearchRecord', () => [Customer, Subscription, Transaction, Plan], classOf)
  record!: SearchRecord;
}
