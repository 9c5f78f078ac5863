import { ObjectType } from 'type-graphql';
import { CustomerAddress } from '../customers/fields';
import { Moment, Nested, Text } from '../schema/shapes';

/** The part of a card that saved cards, tokens and charges show. */
@ObjectType({ description: 'What is shown of a card' })
export class CardSummary {
  @Moment('When it was created')
  creation_date!: Date;
  @Text('Name of the holder', { example: 'María Gómez' })
  holder_name!: string;
  @Text('Masked: the first six and the last four digits', { example: '411111XXXXXX1111' })
  card_number!: string;
  @Text('Month of expiration, two digits', { example: '12' })
  expiration_month!: string;
  @Text('Year of expiration, two digits', { example: '29' })
  expiration_year!: string;
  @Text('visa, mastercard, american express, diners, carnet or another', { example: 'visa' })
  brand!: string;
  @Nested('Address', () => CustomerAddress, { optional: true })
  address!: CustomerAddress | null;
}
