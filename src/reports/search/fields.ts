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
  @Text('What is looked for, at least three characters; no card number but its last four digits', {
    personal: true,
    max: MAX_TEXT_CHARACTERS,
    rules: { minLength: MIN_TEXT_CHARACTERS, pattern: SEARCHABLE },
    example: 'maría',
  })
  text!: string;
  @Count('Results wanted', { optional: true, min: 1, max: 50 })
  limit: number = 10;
}

export type SearchRecord = Customer | Transaction | Subscription | Plan;

/** Identifiers say by their first letter what they are of. */
const classes: Record<string, Class> = { a: Customer, t: Transaction, s: Subscription, p: Plan };
const classOf = (record: object): Class => classes[(record as SearchRecord).id[0] ?? ''] ?? Customer;

@ObjectType({ description: 'Something that a text was found in' })
export class SearchResult {
  @Text('What it is', { values: ['customer', 'subscription', 'charge', 'plan'], example: 'customer' })
  type!: string;
  @Text('In which of its fields; customer or plan where a subscription was found by the name of its own', {
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
  @OneOf('The record itself', 'SearchRecord', () => [Customer, Subscription, Transaction, Plan], classOf)
  record!: SearchRecord;
}
