import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { VISIBLE } from '../../schema/patterns';
import { Flag, Text } from '../../schema/shapes';
import { CARD_NUMBER, CVV2, EXPIRATION_MONTH, EXPIRATION_YEAR } from '../cardDetails/details';
import { CARD_TYPES, CardSummary } from '../cardDetails/fields';

@ObjectType({ description: 'A saved card. Its full number cannot be read back' })
export class Card extends CardSummary {
  @Text('Unique identifier', { id: 'card', example: 'k9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Flag('Whether charges to it are possible', { example: true })
  allows_charges!: boolean;
  @Flag('Whether money can be paid out to it', { example: false })
  allows_payouts!: boolean;
  @Text('credit or debit; null where the acquirer does not say', {
    nullable: true,
    values: CARD_TYPES,
    example: 'credit',
  })
  type!: string | null;
  @Text('Issuing bank; null where the acquirer does not say', { nullable: true, example: 'Bancolombia' })
  bank_name!: string | null;
  @Text('Code of the issuing bank; null where the acquirer does not say', { nullable: true, example: '007' })
  bank_code!: string | null;
  @Text("Its customer; null for the merchant's own", {
    id: 'customer',
    nullable: true,
    example: 'a9s8d7f6g5h4j3k2l1q0',
  })
  customer_id!: string | null;
}

@InputType({ description: 'What a card is changed to; what is left out stays' })
export class UpdateCard {
  @Text('Name of the holder', {
    optional: true,
    personal: true,
    max: 80,
    rules: { pattern: VISIBLE },
    example: 'María Gómez',
  })
  holder_name?: string;
  @Text('Security code, for the next charge only', {
    optional: true,
    max: 20,
    digits: true,
    rules: CVV2,
    example: '123',
  })
  cvv2?: string;
  @Text('Month of expiration', { optional: true, max: 20, digits: true, rules: EXPIRATION_MONTH, example: '12' })
  expiration_month?: string;
  @Text('Year of expiration', { optional: true, max: 20, digits: true, rules: EXPIRATION_YEAR, example: '29' })
  expiration_year?: string;
}

@InputType({ description: 'A card: what is written on it, or a token_id with a device_session_id' })
export class CreateCard extends UpdateCard {
  @Text('16 or 19 digits; spaces and dashes are left out', {
    optional: true,
    max: 60,
    digits: true,
    cardNumber: true,
    rules: CARD_NUMBER,
    example: '4111111111111111',
  })
  card_number?: string;
  @Text('Identifies the device of the payer; required with token_id', {
    optional: true,
    max: 255,
    example: 'kR1MiQhz2otdIuUlQkbEyitIqVMiI16f',
  })
  device_session_id?: string;
  @Text('A token to be used up, instead of what is written on the card', {
    id: 'card',
    optional: true,
    max: 45,
    example: 'k9s8d7f6g5h4j3k2l1q0',
  })
  token_id?: string;
}

@ArgsType()
export class CardsPage extends paged(Filters) {}

@ArgsType()
export class CardsWindow extends cursorPaged(Filters) {}

@ObjectType({ description: 'A window on a list of cards, newest first' })
export class CardConnection extends connectionOf(Card) {}
