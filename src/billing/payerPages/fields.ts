import { InputType, ObjectType } from 'type-graphql';
import { Flag, Moment, Text } from '../../schema/shapes';

@ObjectType({ description: "The link to the payer's page of a subscription" })
export class SubscriptionLink {
  @Text('URL of the page, for the payer only: it needs no log-in', { rules: { format: 'uri' } })
  url!: string;
  @Moment('Time since which the link is valid')
  creation_date!: Date;
}

@InputType({ description: "The link to the payer's page of a subscription" })
export class CreateSubscriptionLink {
  @Flag('Whether to replace the present link, which is then invalid (default false)', {
    optional: true,
    example: true,
  })
  rotate?: boolean;
}
