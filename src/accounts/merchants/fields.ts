import { InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { EMAIL_PATTERN, orEmpty, PHONE_PATTERN, VISIBLE, WEB_ADDRESS } from '../../schema/patterns';
import { Amount, Count, choice, Flag, Moment, Nested, Text } from '../../schema/shapes';
import { BankAccount, BankAccountInput, PendingBankAccount } from '../bankAccounts/fields';

export const MerchantEnvironment = choice(
  'MerchantEnvironment',
  'Environment of a merchant, which never changes',
  'sandbox',
  'production',
);
export const MerchantStatus = choice(
  'MerchantStatus',
  'Status of a merchant; a suspended merchant cannot move money',
  'active',
  'suspended',
);

const PayerAction = choice(
  'PayerAction',
  'An action that payers may take on the pages of their subscriptions',
  'cancel',
  'pause',
);
export const PayerEmail = choice(
  'PayerEmail',
  'A kind of e-mail to payers',
  'receipt',
  'refunded',
  'voucher',
  'past_due',
  'last_retry',
  'recovered',
  'unpaid',
  'ended',
  'trial_ending',
  'card_expiring',
  'paused',
  'resumed',
  'plan_changed',
  'cancelled',
);
export type PayerEmailName = keyof typeof PayerEmail.words;
const MAY_BE_EMPTY = { minItems: 0 };
export type PayerActionName = keyof typeof PayerAction.words;

@ObjectType({ description: 'The authenticated merchant' })
export class Merchant {
  @Text('Unique identifier', { id: 'merchant', example: 'm6d2lq01eb5xvyaspxnc' })
  id!: string;
  @Text('Name', { example: 'Tienda' })
  name!: string;
  @Text('E-mail address', { example: 'tienda@example.com' })
  email!: string;
  @Text('Phone number', { nullable: true, example: '6011234567' })
  phone!: string | null;
  @Text('Website', { nullable: true, example: 'https://tienda.example' })
  website!: string | null;
  @Text('Support e-mail address for payers', { nullable: true, example: 'ayuda@tienda.example' })
  support_email!: string | null;
  @Text('Support phone number for payers', { nullable: true, example: '6011234567' })
  support_phone!: string | null;
  @Text('URL of the logo shown to payers', { nullable: true })
  logo!: string | null;
  @Text('Brand colour shown to payers', { nullable: true, example: '#0b6e4f' })
  colour!: string | null;
  @Flag('Whether payers receive e-mails about declined renewals', { example: false })
  subscription_emails!: boolean;
  @PayerEmail.several('Kinds of e-mails that payers receive', { rules: MAY_BE_EMPTY, example: ['receipt'] })
  payer_emails!: PayerEmailName[];
  @Count('Installments (cuotas) that payers may choose on payment pages; 1 if not offered', { example: 1 })
  max_installments!: number;
  @PayerAction.several('Actions that payers may take on the pages of their subscriptions, beside changing the card', {
    rules: MAY_BE_EMPTY,
    example: ['cancel'],
  })
  payer_actions!: PayerActionName[];
  @MerchantStatus.field('Status')
  status!: 'active' | 'suspended';
  @Moment('Date of the suspension', { nullable: true })
  suspended_at!: Date | null;
  @Text('Reason for the suspension', { nullable: true, example: 'Documents are missing' })
  suspension_reason!: string | null;
  @Nested('Bank account for payouts', () => BankAccount, { nullable: true })
  bank_account!: BankAccount | null;
  @Nested('The requested bank account while it waits to replace the present one', () => PendingBankAccount, {
    nullable: true,
  })
  pending_bank_account!: PendingBankAccount | null;
  @Amount('Balance of the merchant account', { example: 0 })
  balance!: Money;
  @Amount('Part of the balance that can be paid out: without unsettled charges and the reserve', { example: 0 })
  available!: Money;
  @Amount('Part of the balance that payouts leave, set by operators', { example: 0 })
  reserve!: Money;
  @Amount("Total balance of its customers' accounts", { example: 0 })
  customers_balance!: Money;
  @Moment('Creation date')
  creation_date!: Date;
}

export const MAX_INSTALLMENTS = 36;
/** Base64 text is a third longer than its bytes. */
const MAX_LOGO_CHARACTERS = 90_000;
@InputType({ description: 'Changes to the profile; an empty string clears an optional field' })
export class UpdateMerchant {
  @Text('Name shown to payers', { optional: true, max: 100, rules: { pattern: VISIBLE }, example: 'Tienda' })
  name?: string;
  @Text('Phone number; it cannot be cleared', {
    optional: true,
    max: 25,
    form: 'phone',
    rules: { pattern: PHONE_PATTERN },
    example: '6011234567',
  })
  phone?: string;
  @Text('Website', {
    optional: true,
    max: 255,
    rules: { pattern: orEmpty(WEB_ADDRESS) },
    example: 'https://tienda.example',
  })
  website?: string;
  @Text('Support e-mail address for payers', {
    optional: true,
    max: 100,
    rules: { pattern: orEmpty(EMAIL_PATTERN) },
    example: 'ayuda@tienda.example',
  })
  support_email?: string;
  @Text('Support phone number for payers', { optional: true, max: 25, form: 'phone', example: '6011234567' })
  support_phone?: string;
  @Text('PNG or JPEG as a data URL, at most 64 KB', { optional: true, rules: { maxLength: MAX_LOGO_CHARACTERS } })
  logo?: string;
  @Text('Brand colour as #rrggbb; darkened if its contrast is too low', {
    optional: true,
    max: 7,
    rules: { pattern: orEmpty('^#[0-9a-fA-F]{6}$') },
    example: '#0b6e4f',
  })
  colour?: string;
  @Flag('Adds the four kinds about declined renewals to payer_emails, or removes them', {
    optional: true,
    example: true,
  })
  subscription_emails?: boolean;
  @PayerEmail.several('Kinds of e-mails that payers receive; replaces the list, and overrides subscription_emails', {
    optional: true,
    rules: MAY_BE_EMPTY,
    example: ['receipt', 'past_due'],
  })
  payer_emails?: PayerEmailName[];
  @Count('Installments (cuotas) that payers may choose on payment pages; 1 to offer none', {
    optional: true,
    min: 1,
    max: MAX_INSTALLMENTS,
    example: 12,
  })
  max_installments?: number;
  @PayerAction.several('Actions that payers may take on the pages of their subscriptions; replaces the list', {
    optional: true,
    rules: MAY_BE_EMPTY,
    example: ['cancel', 'pause'],
  })
  payer_actions?: PayerActionName[];
  @Nested('Bank account for payouts', () => BankAccountInput, { optional: true })
  bank_account?: BankAccountInput;
}
