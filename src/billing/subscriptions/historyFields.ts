/** What a subscription has behind and before it. */
import { ArgsType, ObjectType } from 'type-graphql';
import { LANGUAGES, type Language } from '../../platform/language';
import type { Money } from '../../platform/money';
import { Amount, Count, choice, Day, ERROR_CODE, ListOf, Moment, Text } from '../../schema/shapes';

@ArgsType()
export class ProjectionArgs {
  @Count('How many charges', { optional: true, min: 1, max: 1000 })
  periods: number = 12;
  @Day('Assume that charges are declined from this day on; absent: all are paid', { optional: true })
  declined_from?: string;
}

const MAX_ENTRIES = 1000;
const DEFAULT_ENTRIES = 100;

const LanguageChoice = choice('Language', 'Spanish or English', ...LANGUAGES);

@ArgsType()
export class HistoryPage {
  @Count('Of the latest entries, how many to skip', { optional: true, min: 0 })
  offset: number = 0;
  @Count('Entries wanted, the latest ones', { optional: true, min: 1, max: MAX_ENTRIES })
  limit: number = DEFAULT_ENTRIES;
  @LanguageChoice.field('In which language; absent: as the header Accept-Language asks, else English', {
    optional: true,
  })
  language?: Language;
}

/** Arguments of a history that is nested in GraphQL. */
@ArgsType()
export class LatestHistory {
  @Count('How many, the latest ones', { optional: true, min: 1, max: MAX_ENTRIES })
  first: number = DEFAULT_ENTRIES;
  @LanguageChoice.field('In which language; absent: as the header Accept-Language asks, else English', {
    optional: true,
  })
  language?: Language;
}

@ObjectType({ description: 'A charge to come' })
export class ProjectedCharge {
  @Count('Of which period', { example: 4 })
  period!: number;
  @Day('On which day', { example: '2027-03-31' })
  charge_date!: string;
  @Amount('How much', { example: 49900 })
  amount!: Money;
}

export const HISTORY_EVENTS = [
  'created',
  'charged',
  'declined',
  'unanswered',
  'not_made',
  'unpaid',
  'card_changed',
  'retry_requested',
  'retry_requested_by_operator',
  'cancel_scheduled',
  'cancel_unscheduled',
  'trial_changed',
  'cancelled_by_merchant',
  'cancelled_by_operator',
  'customer_deleted',
  'period_ended',
  'retries_exhausted',
  'left_unpaid',
  'past_due_email',
  'recovered_email',
  'unpaid_email',
  'ended_email',
  'email_refused',
] as const;

const HistoryEvent = choice('HistoryEvent', 'What happened to a subscription', ...HISTORY_EVENTS);

@ObjectType({ description: 'Something that happened to a subscription' })
export class HistoryEntry {
  @Moment('When, by its own clock')
  date!: Date;
  @HistoryEvent.field('What', { example: 'charged' })
  event!: string;
  @Text('The same in words', { example: 'Period 3 was charged.' })
  description!: string;
  @Count('Of which period', { nullable: true, example: 3 })
  period!: number | null;
  @Text('By which charge', { id: 'transaction', nullable: true, example: 't9s8d7f6g5h4j3k2l1q0' })
  transaction_id!: string | null;
  @Count('Why it was declined', { nullable: true, rules: ERROR_CODE, example: 3003 })
  error_code!: number | null;
}

@ObjectType({ description: 'What happened to a subscription, and what comes next, in words' })
export class History {
  @Text('How it stands')
  summary!: string;
  @ListOf('What happened, oldest first: the entries asked for, by default the latest hundred', () => HistoryEntry)
  entries!: HistoryEntry[];
  @Text('What comes next, and what would end it')
  next!: string;
  @Day('On which day it ends without another charge, as it stands now', { nullable: true, example: null })
  end_date!: string | null;
}
