import { ArgsType, InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters } from '../../schema/list';
import { PHONE_PATTERN, WEB_ADDRESS } from '../../schema/patterns';
import { Amount, choice, Moment, Nested, Text } from '../../schema/shapes';
import { BankAccount, BankAccountInput } from '../bankAccounts/fields';

export const LIVE_REQUEST_STATUSES = ['draft', 'submitted', 'returned', 'approved', 'refused'] as const;
export type LiveRequestStatus = (typeof LIVE_REQUEST_STATUSES)[number];
const RequestStatus = choice(
  'LiveRequestStatus',
  'draft: incomplete; submitted: waiting for an operator; returned: an operator requested changes',
  ...LIVE_REQUEST_STATUSES,
);

@InputType({ description: 'Legal representative of a business' })
export class RepresentativeInput {
  @Text('Name', { max: 100, personal: true, example: 'María Gómez' })
  name!: string;
  @Text('Number of the identity document', { max: 20, digits: true, example: '52123456' })
  document!: string;
  @Text('E-mail address', { max: 100, form: 'email', example: 'maria@tienda.co' })
  email!: string;
  @Text('Phone number', { max: 25, digits: true, rules: { pattern: PHONE_PATTERN }, example: '3001234567' })
  phone!: string;
}

@InputType({ description: 'Details of a business that requests production access' })
export class BusinessInput {
  @Text('Name in the commercial register', { max: 150, personal: true, example: 'Tienda S.A.S.' })
  legal_name!: string;
  @Text('NIT with its check digit, with or without a dash', { max: 20, digits: true, example: '900123456-8' })
  nit!: string;
  @Nested('Legal representative', () => RepresentativeInput)
  representative!: RepresentativeInput;
  @Nested('Bank account for payouts', () => BankAccountInput)
  bank_account!: BankAccountInput;
  @Text('Website', { max: 255, rules: { format: 'uri', pattern: WEB_ADDRESS }, example: 'https://tienda.co' })
  website!: string;
  @Amount('Expected monthly payment volume', { min: 1, example: 50000000 })
  expected_monthly_volume!: Money;
  @Text('Support e-mail address', { max: 100, form: 'email', example: 'ayuda@tienda.co' })
  support_email!: string;
  @Text('Support phone number', { max: 25, digits: true, rules: { pattern: PHONE_PATTERN }, example: '6011234567' })
  support_phone!: string;
}

@ObjectType({ description: 'Legal representative of a business' })
export class Representative {
  @Text('Name')
  name!: string;
  @Text('Number of the identity document')
  document!: string;
  @Text('E-mail address')
  email!: string;
  @Text('Phone number')
  phone!: string;
}

@ObjectType({ description: 'Details of a business' })
export class Business {
  @Text('Name in the commercial register')
  legal_name!: string;
  @Text('NIT with its check digit, digits only')
  nit!: string;
  @Nested('Legal representative', () => Representative)
  representative!: Representative;
  @Nested('Bank account for payouts', () => BankAccount)
  bank_account!: BankAccount;
  @Text('Website')
  website!: string;
  @Amount('Expected monthly payment volume')
  expected_monthly_volume!: Money;
  @Text('Support e-mail address')
  support_email!: string;
  @Text('Support phone number')
  support_phone!: string;
}

@ObjectType({ description: 'A request of a sandbox merchant for production access' })
export class LiveRequest {
  @Text('Unique identifier', { id: 'live_request' })
  id!: string;
  @Text('Sandbox merchant ID', { id: 'merchant' })
  merchant_id!: string;
  @RequestStatus.field('Status')
  status!: LiveRequestStatus;
  @Text('Secret URL of the page to complete and track the request; null for operators and read-only keys', {
    nullable: true,
  })
  url!: string | null;
  @Nested('Business details; null in an incomplete draft', () => Business, { nullable: true })
  business!: Business | null;
  @Text('Reason for the return or rejection', { nullable: true })
  reason!: string | null;
  @Moment('Creation date')
  creation_date!: Date;
  @Moment('Date of the latest submission', { nullable: true })
  submitted_at!: Date | null;
  @Moment('Date of the approval or rejection', { nullable: true })
  decided_at!: Date | null;
  @Text('ID of the approved production merchant', { nullable: true, id: 'merchant' })
  production_merchant_id!: string | null;
  @Moment('Date when the production keys were collected', { nullable: true })
  keys_collected_at!: Date | null;
}

@ObjectType({ description: 'The production merchant and its keys, returned only once' })
export class LiveKeys {
  @Text('Production merchant ID', { id: 'merchant' })
  merchant_id!: string;
  @Text('Private key for servers')
  private_key!: string;
  @Text('Public key for browsers')
  public_key!: string;
}

@ArgsType()
class LiveRequestFilters extends Filters {
  @RequestStatus.field('Status', { optional: true })
  status?: LiveRequestStatus;
}

@ArgsType()
export class LiveRequestsArgs extends cursorPaged(LiveRequestFilters) {}

@ObjectType({ description: 'A page of requests for production access, newest first' })
export class LiveRequestConnection extends connectionOf(LiveRequest) {}
