import { InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { EMAIL_PATTERN, VISIBLE, WEB_ADDRESS } from '../../schema/patterns';
import { Amount, choice, Flag, Moment, Nested, Text } from '../../schema/shapes';
import { BankAccount, BankAccountInput } from '../bankAccounts/fields';

export const MerchantEnvironment = choice(
  'MerchantEnvironment',
  'Where a merchant belongs, for good',
  'sandbox',
  'production',
);
export const MerchantStatus = choice('MerchantStatus', 'A suspended merchant moves no money', 'active', 'suspended');

@ObjectType({ description: 'The merchant whose key it is' })
export class Merchant {
  @Text('Unique identifier', { id: 'merchant', example: 'm6d2lq01eb5xvyaspxnc' })
  id!: string;
  @Text('Name', { example: 'Tienda' })
  name!: string;
  @Text('E-mail address', { example: 'tienda@example.com' })
  email!: string;
  @Text('Phone number', { nullable: true, example: '6011234567' })
  phone!: string | null;
  @Text('Its own site', { nullable: true, example: 'https://tienda.example' })
  website!: string | null;
  @Text('Where payers ask', { nullable: true, example: 'ayuda@tienda.example' })
  support_email!: string | null;
  @Text('Where payers call', { nullable: true, example: '6011234567' })
  support_phone!: string | null;
  @Text('The address of its logo, which payers see', { nullable: true })
  logo!: string | null;
  @Text('Its colour, which payers see', { nullable: true, example: '#0b6e4f' })
  colour!: string | null;
  @Flag('Whether payers get e-mails about renewals that were declined', { example: false })
  subscription_emails!: boolean;
  @MerchantStatus.field('active or suspended')
  status!: 'active' | 'suspended';
  @Moment('Since when it is suspended', { nullable: true })
  suspended_at!: Date | null;
  @Text('Why it is suspended', { nullable: true, example: 'Documents are missing' })
  suspension_reason!: string | null;
  @Nested('Where its payouts go', () => BankAccount, { nullable: true })
  bank_account!: BankAccount | null;
  @Amount('Balance of its account', { example: 0 })
  balance!: Money;
  @Amount("What is on all of its customers' accounts together", { example: 0 })
  customers_balance!: Money;
  @Moment('When it was created')
  creation_date!: Date;
}

/** As text, a third longer than its bytes. */
const MAX_LOGO_CHARACTERS = 90_000;
const orEmpty = (pattern: string): string => `^$|${pattern}`;

@InputType({ description: 'What to change of the profile; an empty text clears what may be absent' })
export class UpdateMerchant {
  @Text('Name, which payers see', { optional: true, max: 100, rules: { pattern: VISIBLE }, example: 'Tienda' })
  name?: string;
  @Text('Phone number; it can be changed, not cleared', {
    optional: true,
    max: 100,
    rules: { pattern: VISIBLE },
    example: '6011234567',
  })
  phone?: string;
  @Text('Its own site', {
    optional: true,
    max: 255,
    rules: { pattern: orEmpty(WEB_ADDRESS) },
    example: 'https://tienda.example',
  })
  website?: string;
  @Text('Where payers ask', {
    optional: true,
    max: 100,
    rules: { pattern: orEmpty(EMAIL_PATTERN) },
    example: 'ayuda@tienda.example',
  })
  support_email?: string;
  @Text('Where payers call', { optional: true, max: 100, example: '6011234567' })
  support_phone?: string;
  @Text('A PNG or JPEG as a data URL, at most 64 KB', { optional: true, rules: { maxLength: MAX_LOGO_CHARACTERS } })
  logo?: string;
  @Text('As #rrggbb. Where it is read badly it is darkened', {
    optional: true,
    max: 7,
    rules: { pattern: orEmpty('^#[0-9a-fA-F]{6}$') },
    example: '#0b6e4f',
  })
  colour?: string;
  @Flag('Whether payers get e-mails about renewals that were declined', { optional: true, example: true })
  subscription_emails?: boolean;
  @Nested('Where its payouts go', () => BankAccountInput, { optional: true })
  bank_account?: BankAccountInput;
}
