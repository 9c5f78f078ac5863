import { ArgsType, InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { WEB_ADDRESS } from '../../schema/patterns';
import { Amount, choice, Moment, Nested, Text } from '../../schema/shapes';
import { BankAccount, BankAccountInput } from '../bankAccounts/fields';

export const LIVE_REQUEST_STATUSES = ['draft', 'submitted', 'returned', 'approved', 'refused'] as const;
export type LiveRequestStatus = (typeof LIVE_REQUEST_STATUSES)[number];
const RequestStatus = choice(
  'LiveRequestStatus',
  'draft: not complete yet; submitted: an operator decides; returned: an operator asked for more',
  ...LIVE_REQUEST_STATUSES,
);

@InputType({ description: 'Who answers for the business' })
export class RepresentativeInput {
  @Text('Name', { max: 100, personal: true, example: 'María Gómez' })
  name!: string;
  @Text('Number of the identity document', { max: 20, digits: true, example: '52123456' })
  document!: string;
  @Text('E-mail address', { max: 100, email: true, example: 'maria@tienda.co' })
  email!: string;
  @Text('Phone number', { max: 30, digits: true, example: '3001234567' })
  phone!: string;
}

@InputType({ description: 'What is asked of a business that goes live' })
export class BusinessInput {
  @Text('Name in the commercial register', { max: 150, personal: true, example: 'Tienda S.A.S.' })
  legal_name!: string;
  @Text('NIT with its check digit, with or without a dash', { max: 20, digits: true, example: '900123456-8' })
  nit!: string;
  @Nested('Who answers for it', () => RepresentativeInput)
  representative!: RepresentativeInput;
  @Nested('Where it is paid', () => BankAccountInput)
  bank_account!: BankAccountInput;
  @Text('Its web site', { max: 255, rules: { format: 'uri', pattern: WEB_ADDRESS }, example: 'https://tienda.co' })
  website!: string;
  @Amount('How much it expects to take in a month', { min: 1, example: 50000000 })
  expected_monthly_volume!: Money;
  @Text('Where its customers write to', { max: 100, email: true, example: 'ayuda@tienda.co' })
  support_email!: string;
  @Text('Where its customers call', { max: 30, digits: true, example: '6011234567' })
  support_phone!: string;
}

@ObjectType({ description: 'Who answers for the business' })
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

@ObjectType({ description: 'What is known of a business that goes live' })
export class Business {
  @Text('Name in the commercial register')
  legal_name!: string;
  @Text('NIT with its check digit, digits only')
  nit!: string;
  @Nested('Who answers for it', () => Representative)
  representative!: Representative;
  @Nested('Where it is paid', () => BankAccount)
  bank_account!: BankAccount;
  @Text('Its web site')
  website!: string;
  @Amount('How much it expects to take in a month')
  expected_monthly_volume!: Money;
  @Text('Where its customers write to')
  support_email!: string;
  @Text('Where its customers call')
  support_phone!: string;
}

@ObjectType({ description: 'The wish of a sandbox merchant to go live' })
export class LiveRequest {
  @Text('Unique identifier', { id: 'live_request' })
  id!: string;
  @Text('The merchant of the sandbox', { id: 'merchant' })
  merchant_id!: string;
  @RequestStatus.field('How it stands')
  status!: LiveRequestStatus;
  @Text('The page on which a person completes and follows it; a secret, and null for operators and read-only keys', {
    nullable: true,
  })
  url!: string | null;
  @Nested('The business; null until it is given', () => Business, { nullable: true })
  business!: Business | null;
  @Text('Why it was returned or refused', { nullable: true })
  reason!: string | null;
  @Moment('When it was made')
  creation_date!: Date;
  @Moment('When it was submitted the last time', { nullable: true })
  submitted_at!: Date | null;
  @Moment('When it was approved or refused', { nullable: true })
  decided_at!: Date | null;
  @Text('The merchant of production that the approval opened', { nullable: true, id: 'merchant' })
  production_merchant_id!: string | null;
  @Moment('When the keys of production were collected', { nullable: true })
  keys_collected_at!: Date | null;
}

@ObjectType({ description: 'The merchant of production and its keys; shown once' })
export class LiveKeys {
  @Text('The merchant of production', { id: 'merchant' })
  merchant_id!: string;
  @Text('For its server')
  private_key!: string;
  @Text('For browsers')
  public_key!: string;
}

@ArgsType()
class LiveRequestFilters extends Filters {
  @RequestStatus.field('How it stands', { optional: true })
  status?: LiveRequestStatus;
}

@ArgsType()
export class LiveRequestsPage extends paged(LiveRequestFilters) {}

@ArgsType()
export class LiveRequestsWindow extends cursorPaged(LiveRequestFilters) {}

@ObjectType({ description: 'A window on the list of requests to go live, newest first' })
export class LiveRequestConnection extends connectionOf(LiveRequest) {}
