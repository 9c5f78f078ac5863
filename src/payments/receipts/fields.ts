import { ObjectType } from 'type-graphql';
import { Text } from '../../schema/shapes';

const URI = { format: 'uri' };

@ObjectType({ description: 'The receipt of a paid charge' })
export class Receipt {
  @Text('URL of the receipt, for the payer only: it needs no log-in', { rules: URI })
  url!: string;
  @Text('URL of the receipt as PDF', { rules: URI })
  pdf_url!: string;
  @Text('Code printed on the receipt, with which anyone can verify the payment at /r', {
    rules: { pattern: '^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$' },
    example: '7K3M-9QX2-4ABD',
  })
  code!: string;
}
