import { InputType, ObjectType } from 'type-graphql';
import { Nested, Text } from '../../schema/shapes';
import { CARD_NUMBER, CVV2, EXPIRATION_MONTH, EXPIRATION_YEAR } from '../cardDetails/details';
import { CardSummary } from '../cardDetails/fields';
import { CustomerAddressInput } from '../customers/fields';

@ObjectType({ description: 'Stands for a card that only the payer has typed. Good for one use within 24 hours' })
export class Token {
  @Text('Unique identifier', { id: 'card', example: 'k9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Nested('What is shown of the card', () => CardSummary)
  card!: CardSummary;
}

@InputType({ description: 'What is written on a card' })
export class CreateToken {
  @Text('Name of the holder', { personal: true, max: 80, example: 'María Gómez' })
  holder_name!: string;
  @Text('16 or 19 digits; spaces and dashes are left out', {
    max: 60,
    digits: true,
    cardNumber: true,
    rules: CARD_NUMBER,
    example: '4111111111111111',
  })
  card_number!: string;
  @Text('Security code; required', { optional: true, max: 20, digits: true, rules: CVV2, example: '123' })
  cvv2?: string;
  @Text('Month of expiration', { max: 20, digits: true, rules: EXPIRATION_MONTH, example: '12' })
  expiration_month!: string;
  @Text('Year of expiration', { max: 20, digits: true, rules: EXPIRATION_YEAR, example: '29' })
  expiration_year!: string;
  @Nested('Address', () => CustomerAddressInput, { optional: true })
  address?: CustomerAddressInput;
}
