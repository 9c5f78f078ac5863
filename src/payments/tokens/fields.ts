import { InputType, ObjectType } from 'type-graphql';
import { Nested, Text } from '../../schema/shapes';
import { CARD_NUMBER, CVV2, EXPIRATION_MONTH, EXPIRATION_YEAR } from '../cardDetails/details';
import { CardSummary } from '../cardDetails/fields';
import { CustomerAddressInput } from '../customers/fields';

@ObjectType({ description: 'A token for card details entered by the payer. It can be used once within 24 hours' })
export class Token {
  @Text('Token ID', { id: 'card', example: 'k9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Nested('Public details of the card', () => CardSummary)
  card!: CardSummary;
}

@InputType({ description: 'Card details to tokenize' })
export class CreateToken {
  @Text('Cardholder name', { personal: true, max: 80, example: 'María Gómez' })
  holder_name!: string;
  @Text('Card number: 16 or 19 digits (15 for American Express, 14 for Diners); spaces and dashes are ignored', {
    max: 60,
    digits: true,
    cardNumber: true,
    rules: CARD_NUMBER,
    example: '4111111111111111',
  })
  card_number!: string;
  @Text('Security code (CVV2); required', { optional: true, max: 20, digits: true, rules: CVV2, example: '123' })
  cvv2?: string;
  @Text('Expiration month', { max: 20, digits: true, rules: EXPIRATION_MONTH, example: '12' })
  expiration_month!: string;
  @Text('Expiration year', { max: 20, digits: true, rules: EXPIRATION_YEAR, example: '29' })
  expiration_year!: string;
  @Nested('Billing address', () => CustomerAddressInput, { optional: true })
  address?: CustomerAddressInput;
}
