import { ArgsType, ObjectType } from 'type-graphql';
import { ChargeInvoice } from '../../../payments/charges/invoice';
import { LANGUAGES, type Language } from '../../../platform/language';
import type { Money } from '../../../platform/money';
import { uncountedConnectionOf } from '../../../schema/connections/connection';
import { Amount, Count, choice, Day, ERROR_CODE, ListOf, Moment, Nested, Text } from '../../../schema/shapes';
import { HISTORY_EVENTS } from '../lines/events';

@ArgsType()
export class ProjectionArgs {
  @Count('Number of charges to project (default 12)', { optional: true, min: 1, max: 1000 })
  periods: number = 12;
  @Day('Assume that charges are declined from this day on (default: all charges are paid)', { optional: true })
  declined_from?: string;
}

const MAX_ENTRIES = 1000;
const DEFAULT_ENTRIES = 100;

const LanguageChoice = choice('Language', 'Language of texts', ...LANGUAGES);

@ArgsType()
export class HistoryArgs {
  @Count('Latest entries to skip', { optional: true, min: 0 })
  offset: number = 0;
  @Count('Maximum number of latest entries (default 100)', { optional: true, min: 1, max: MAX_ENTRIES })
  limit: number = DEFAULT_ENTRIES;
  @LanguageChoice.field('Language of the texts; defaults to the Accept-Language header, then English', {
    optional: true,
  })
  language?: Language;
}

@ArgsType()
export class SubscriptionHistoryArgs {
  @LanguageChoice.field('Language of the texts; defaults to the Accept-Language header, then English', {
    optional: true,
  })
  language?: Language;
}

@ObjectType({ description: 'A projected charge' })
export class ProjectedCharge {
  @Count('Period number', { example: 4 })
  period!: number;
  @Day('Day of the charge', { example: '2027-03-31' })
  charge_date!: string;
  @Amount('Amount; 0 for a period that costs nothing', { example: 49900 })
  amount!: Money;
  @Nested('Composition of the amount, if it is not the amount of the plan', () => ChargeInvoice, { optional: true })
  invoice?: ChargeInvoice | null;
}

const HistoryEvent = choice('HistoryEvent', 'Type of a history entry', ...HISTORY_EVENTS);

@ObjectType({ description: 'A history entry of a subscription' })
export class HistoryEntry {
  @Moment("Time on the subscription's clock")
  date!: Date;
  @HistoryEvent.field('Type of the entry', { example: 'charged' })
  event!: string;
  @Text('Description of the entry', { example: 'Period 3 was charged.' })
  description!: string;
  @Count('Period number', { nullable: true, example: 3 })
  period!: number | null;
  @Text('ID of the charge', { id: 'transaction', nullable: true, example: 't9s8d7f6g5h4j3k2l1q0' })
  transaction_id!: string | null;
  @Count('Error code of a declined charge', { nullable: true, rules: ERROR_CODE, example: 3003 })
  error_code!: number | null;
}

@ObjectType({ description: 'History and next action of a subscription, as text' })
export class History {
  @Text('Current state of the subscription')
  summary!: string;
  @ListOf('The requested entries, oldest first', () => HistoryEntry)
  entries!: HistoryEntry[];
  @Text('Next action of the subscription')
  next!: string;
  @Day('Day on which the subscription will end without another charge', { nullable: true, example: null })
  end_date!: string | null;
}

@ObjectType({ description: 'A page of HistoryEntry records' })
export class HistoryEntryConnection extends uncountedConnectionOf(HistoryEntry) {}

@ObjectType({ description: 'History and next action of a subscription, as text' })
export class SubscriptionHistory {
  @Text('Current state of the subscription')
  summary!: string;
  @Text('Next action of the subscription')
  next!: string;
  @Day('Day on which the subscription will end without another charge', { nullable: true, example: null })
  end_date!: string | null;
}
