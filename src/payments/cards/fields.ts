import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { VISIBLE } from '../../schema/patterns';
import { Flag, Text } from '../../schema/shapes';
import { CARD_NUMBER, CVV2, EXPIRATION_MONTH, EXPIRATION_YEAR } from '../cardDetails/details';
import { CARD_TYPES, CardSummary } from '../cardDetails/fields';

@ObjectType({ description: 'A saved card. The full card number cannot be retrieved' })
export class Card extends CardSummary {
  @Text('Card ID', { id: 'card', example: 'k9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Flag('Whether the card can be charged', { example: true })
  allows_charges!: boolean;
  @Flag('Whether the card can receive payouts', { example: false })
  allows_payouts!: boolean;
  @Text('Card type; null if the acquirer does not report it', {
    nullable: true,
    values: CARD_TYPES,
    example: 'credit',
  })
  type!: string | null;
  @Text('Issuing bank; null if the acquirer does not report it', { nullable: true, example: 'Bancolombia' })
  bank_name!: string | null;
  @Text('Code of the issuing bank; null if the acquirer does not report it', { nullable: true, example: '007' })
  bank_code!: string | null;
  @Text('Customer ID; null for a card of the merchant', {
    id: 'customer',
    nullable: true,
    example: 'a9s8d7f6g5h4j3k2l1q0',
  })
  customer_id!: string | null;
}

@InputType({ description: 'Changes to a card; omitted fields keep their values' })
export class UpdateCard {
  @Text('Cardholder name', {
    optional: true,
    personal: true,
    max: 80,
    rules: { pattern: VISIBLE },
    example: 'María Gómez',
  })
  holder_name?: string;
  @Text('Security code (CVV2), used by the next charge only', {
    optional: true,
    max: 20,
    digits: true,
    rules: CVV2,
    example: '123',
  })
  cvv2?: string;
  @Text('Expiration month', { optional: true, max: 20, digits: true, rules: EXPIRATION_MONTH, example: '12' })
  expiration_month?: string;
  @Text('Expiration year', { optional: true, max: 20, digits: true, rules: EXPIRATION_YEAR, example: '29' })
  expiration_year?: string;
}

@InputType({ description: 'A new card: either card details, or token_id and device_session_id' })
export class CreateCard extends UpdateCard {
  @Text('Card number: 16 or 19 digits (15 for American Express, 14 for Diners); spaces and dashes are ignored', {
    optional: true,
    max: 60,
    digits: true,
    cardNumber: true,
    rules: CARD_NUMBER,
    example: '4111111111111111',
  })
  card_number?: string;
  @Text('Device session of the payer; required with token_id', {
    optional: true,
    max: 255,
    example: 'kR1MiQhz2otdIuUlQkbEyitIqVMiI16f',
  })
  device_session_id?: string;
  @Text('Token to use instead of card details; it can be used once', {
    id: 'card',
    optional: true,
    max: 45,
    example: 'k9s8d7f6g5h4j3k2l1q0',
  })
  token_id?: string;
}

@ArgsType()
export class CardsArgs extends paged(Filters) {}

@ArgsType()
export class CardsConnectionArgs extends cursorPaged(Filters) {}

@ObjectType({ description: 'A page of cards, newest first' })
export class CardConnection extends connectionOf(Card) {}
