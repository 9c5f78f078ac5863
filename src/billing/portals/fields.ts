import { InputType, ObjectType } from 'type-graphql';
import { Moment, Text } from '../../schema/shapes';

const RETURN_URL = 'https URL of the link back to the merchant that the page shows';
/** It is part of the link. */
export const MAX_RETURN_URL_LENGTH = 500;

@ObjectType({ description: 'A link to the portal of a customer: its subscriptions, saved cards and payments' })
export class CustomerPortal {
  @Text('URL of the page, for the customer only: it needs no log-in', { rules: { format: 'uri' } })
  url!: string;
  @Moment('Time after which the link cannot be used: an hour after its creation, in real time')
  expires_at!: Date;
}

@InputType({ description: 'A link to the portal of a customer' })
export class CreateCustomerPortal {
  @Text(RETURN_URL, {
    optional: true,
    max: MAX_RETURN_URL_LENGTH,
    rules: { format: 'uri' },
    example: 'https://tienda.example/cuenta',
  })
  return_url?: string;
}
