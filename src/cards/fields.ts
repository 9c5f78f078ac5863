import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { CardSummary } from '../cardDetails/fields';
import { connectionOf, Filters, paged, windowed } from '../schema/list';
import { Flag, Text } from '../schema/shapes';

@ObjectType({ description: 'A saved card. Its full number cannot be read back' })
export class Card extends CardSummary {
  @Text('Unique identifier', { example: 'k9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Flag('Whether charges to it are possible', { example: true })
  allows_charges!: boolean;
  @Flag('Whether money can be paid out to it', { example: false })
  allows_payouts!: boolean;
  @Text('credit or debit', { example: 'credit' })
  type!: string;
  @Text('Issuing bank', { example: 'Bancolombia' })
  bank_name!: string;
  @Text('Code of the issuing bank', { example: '007' })
  bank_code!: string;
  @Text("Its customer; null for the merchant's own", { optional: true, example: 'a9s8d7f6g5h4j3k2l1q0' })
  customer_id!: string | null;
}

@InputType({ description: 'What a card is changed to; what is left out stays' })
export class UpdateCard {
  @Text('Name of the holder', { optional: true, max: 80, example: 'María Gómez' })
  holder_name?: string;
  @Text('Security code, for the next charge only', { optional: true, max: 20, digits: true, example: '123' })
  cvv2?: string;
  @Text('Month of expiration', { optional: true, max: 20, digits: true, example: '12' })
  expiration_month?: string;
  @Text('Year of expiration', { optional: true, max: 20, digits: true, example: '29' })
  expiration_year?: string;
}

@InputType({ description: 'A card: what is written on it, or a token_id with a device_session_id' })
export class CreateCard extends UpdateCard {
  @Text('16 or 19 digits; spaces and dashes are left out', {
    optional: true,
    max: 60,
    digits: true,
    example: '4111111111111111',
  })
  card_number?: string;
  @Text('Identifies the device of the payer; required with token_id', { optional: true, max: 255 })
  device_session_id?: string;
  @Text('A token to be used up, instead of what is written on the card', { optional: true, max: 45 })
  token_id?: string;
}

@ArgsType()
export class CardsPage extends paged(Filters) {}

@ArgsType()
export class CardsWindow extends windowed(Filters) {}

@ObjectType({ description: 'A window on a list of cards, newest first' })
export class CardConnection extends connectionOf(Card) {}
