import { InterfaceType, ObjectType } from 'type-graphql';
import { Moment, Nested, Text } from '../../schema/shapes';
import { CustomerAddress } from '../customers/fields';

export const CARD_TYPES = ['credit', 'debit'] as const;

@InterfaceType('AnyCard', {
  description: 'What saved cards, and those of tokens, charges and subscriptions show alike',
})
abstract class AnyCard {
  @Moment('When it was created')
  creation_date!: Date;
  @Text('Name of the holder', { example: 'María Gómez' })
  holder_name!: string;
  @Text('Masked: the first six and the last four digits', {
    rules: { pattern: '^[0-9]{6}X{4,9}[0-9]{4}$' },
    example: '411111XXXXXX1111',
  })
  card_number!: string;
  @Text('Month of expiration, two digits', { rules: { pattern: '^(0[1-9]|1[0-2])$' }, example: '12' })
  expiration_month!: string;
  @Text('Year of expiration, two digits', { rules: { pattern: '^[0-9]{2}$' }, example: '29' })
  expiration_year!: string;
  @Text('visa, mastercard, american express, diners, carnet or another', { example: 'visa' })
  brand!: string;
  @Nested('Address', () => CustomerAddress, { nullable: true })
  address!: CustomerAddress | null;
}

@ObjectType({ description: 'What is shown of a card', implements: AnyCard })
export class CardSummary extends AnyCard {}
