import { InputType, ObjectType } from 'type-graphql';
import { choice, Moment, Text } from '../../schema/shapes';

const AccountType = choice('BankAccountType', 'Type of bank account', 'savings', 'checking');

@InputType({ description: 'Bank account for payouts' })
export class BankAccountInput {
  @Text('Bank', { max: 100, personal: true, example: 'Bancolombia' })
  bank!: string;
  @AccountType.field('Type of account')
  type!: 'savings' | 'checking';
  @Text('Account number, 6 to 20 digits; the masked number keeps the current one', {
    max: 30,
    digits: true,
    example: '12345678901',
  })
  number!: string;
}

@ObjectType({ description: 'Bank account for payouts' })
export class BankAccount {
  @Text('Bank')
  bank!: string;
  @AccountType.field('Type of account')
  type!: 'savings' | 'checking';
  @Text('Account number, masked except for the last four digits', { example: 'XXXXXXX8901' })
  number!: string;
}

@ObjectType({ description: 'A requested bank account, which payouts do not use yet' })
export class PendingBankAccount extends BankAccount {
  @Moment('Time from which payouts go to this account')
  effective_date!: Date;
}
