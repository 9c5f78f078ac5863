import { InterfaceType, ObjectType } from 'type-graphql';
import { Moment, Nested, Text } from '../../schema/shapes';
import { CustomerAddress } from '../customers/fields';

export const CARD_TYPES = ['credit', 'debit'] as const;

@InterfaceType('AnyCard', {
  description: 'Fields common to saved cards and the cards of tokens, charges and subscriptions',
})
abstract class AnyCard {
  @Moment('Time of creation')
  creation_date!: Date;
  @Text('Cardholder name', { example: 'María Gómez' })
  holder_name!: string;
  @Text('Masked card number with the first six and last four digits', {
    rules: { pattern: '^[0-9]{6}X{4,9}[0-9]{4}$' },
    example: '411111XXXXXX1111',
  })
  card_number!: string;
  @Text('Expiration month, two digits', { rules: { pattern: '^(0[1-9]|1[0-2])$' }, example: '12' })
  expiration_month!: string;
  @Text('Expiration year, two digits', { rules: { pattern: '^[0-9]{2}$' }, example: '29' })
  expiration_year!: string;
  @Text('Card brand, such as visa, mastercard, american express, diners or carnet', { example: 'visa' })
  brand!: string;
  @Nested('Billing address', () => CustomerAddress, { nullable: true })
  address!: CustomerAddress | null;
}

@ObjectType({ description: 'Public details of a card', implements: AnyCard })
export class CardSummary extends AnyCard {}
