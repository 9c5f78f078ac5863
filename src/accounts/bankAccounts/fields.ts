import { InputType, ObjectType } from 'type-graphql';
import { choice, Text } from '../../schema/shapes';

const AccountType = choice('BankAccountType', 'What kind of account it is', 'savings', 'checking');

@InputType({ description: 'Where the business is paid' })
export class BankAccountInput {
  @Text('Bank', { max: 100, personal: true, example: 'Bancolombia' })
  bank!: string;
  @AccountType.field('savings or checking')
  type!: 'savings' | 'checking';
  @Text('Number of the account, 6 to 20 digits; as it is shown, it stays what it is', {
    max: 30,
    digits: true,
    example: '12345678901',
  })
  number!: string;
}

@ObjectType({ description: 'Where the business is paid' })
export class BankAccount {
  @Text('Bank')
  bank!: string;
  @AccountType.field('savings or checking')
  type!: 'savings' | 'checking';
  @Text('Number of the account; only its last four digits are shown', { example: 'XXXXXXX8901' })
  number!: string;
}
