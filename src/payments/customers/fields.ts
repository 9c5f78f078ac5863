import { ArgsType, InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, choice, Flag, Moment, Nested, Text } from '../../schema/shapes';
import { ChangedMetadata, type Metadata, MetadataFilter, StoredMetadata } from '../metadata/metadata';

const CustomerStatus = choice(
  'CustomerStatus',
  'Customer status; a deleted customer accepts no transactions',
  'active',
  'deleted',
);

const CustomerLanguage = choice('CustomerLanguage', 'Language of the e-mails to a customer', 'es', 'en');
const EmailStatus = choice(
  'EmailStatus',
  'Why a customer gets no more e-mails: the address does not exist, or they were reported as spam',
  'bounced',
  'complained',
);

/**
 * Addresses have two formats: Colombian forms have a department, a city and the rest in one text; card forms of most client
 * libraries have lines and a postal code. Responses contain the fields that were sent.
 */
@ObjectType({ description: 'A postal address' })
export class CustomerAddress {
  @Text('Department', { optional: true, example: 'Antioquia' })
  department?: string | null;
  @Text('City', { optional: true, example: 'Medellín' })
  city?: string | null;
  @Text('Street, number and further details', { optional: true, example: 'Carrera 43A # 1-50' })
  additional?: string | null;
  @Text('First address line, such as street and number', { optional: true })
  line1?: string | null;
  @Text('Second address line', { optional: true })
  line2?: string | null;
  @Text('Third address line', { optional: true })
  line3?: string | null;
  @Text('State', { optional: true })
  state?: string | null;
  @Text('Postal code', { optional: true })
  postal_code?: string | null;
  @Text('ISO 3166 alpha-2 country code', { optional: true })
  country_code?: string | null;
}

@ObjectType({ description: 'A customer of the merchant' })
export class Customer {
  @Text('Customer ID', { id: 'customer', example: 'a9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @Text('Given names', { example: 'María' })
  name!: string;
  @Text('Last name', { nullable: true, example: 'Gómez' })
  last_name!: string | null;
  @Text('E-mail address', { example: 'maria@example.com' })
  email!: string;
  @Text('Phone number', { nullable: true, example: '3001234567' })
  phone_number!: string | null;
  @CustomerStatus.field('Customer status')
  status!: 'active' | 'deleted';
  @Flag('Whether the customer has a balance account', { example: true })
  requires_account!: boolean;
  @Amount('Balance of the customer; 0 without a balance account', { example: 0 })
  balance!: Money;
  @Text("The merchant's ID for the customer", { nullable: true, example: 'client-77' })
  external_id!: string | null;
  @Text('Reserved; always null', { nullable: true })
  address!: null;
  @Nested('Postal address', () => CustomerAddress, { nullable: true })
  customer_address!: CustomerAddress | null;
  @Text('Reserved; always null', { nullable: true })
  clabe!: null;
  @CustomerLanguage.field('Language of e-mails; omitted for Spanish', { optional: true })
  language?: 'es' | 'en' | null;
  @EmailStatus.field('Reason for which e-mails to the address are suppressed; omitted otherwise', { optional: true })
  email_status?: 'bounced' | 'complained' | null | undefined;
  @StoredMetadata
  metadata?: Metadata | null;
}

@InputType({ description: 'A postal address' })
export class CustomerAddressInput {
  @Text('Department', { optional: true, personal: true, max: 255, example: 'Antioquia' })
  department?: string;
  @Text('City', { optional: true, personal: true, max: 255, example: 'Medellín' })
  city?: string;
  @Text('Street, number and further details', {
    optional: true,
    personal: true,
    max: 255,
    example: 'Carrera 43A # 1-50',
  })
  additional?: string;
  @Text('First address line, such as street and number', { optional: true, personal: true, max: 255 })
  line1?: string;
  @Text('Second address line', { optional: true, personal: true, max: 255 })
  line2?: string;
  @Text('Third address line', { optional: true, personal: true, max: 255 })
  line3?: string;
  @Text('State', { optional: true, personal: true, max: 255 })
  state?: string;
  @Text('Postal code', { optional: true, personal: true, max: 255, digits: true })
  postal_code?: string;
  @Text('ISO 3166 alpha-2 country code', { optional: true, personal: true, max: 255 })
  country_code?: string;
}

@InputType({ description: 'Changes to a customer; omitted fields keep their values' })
export class UpdateCustomer {
  @Text('Given names', { personal: true, max: 100, example: 'María' })
  name!: string;
  @Text('Last name', { optional: true, personal: true, max: 100, example: 'Gómez' })
  last_name?: string;
  @Text('E-mail address', { max: 100, form: 'email', example: 'maria@example.com' })
  email!: string;
  @Text('Phone number', { optional: true, max: 25, form: 'phone', digits: true, example: '3001234567' })
  phone_number?: string;
  @Nested('Postal address', () => CustomerAddressInput, { optional: true })
  customer_address?: CustomerAddressInput;
  @CustomerLanguage.field('Language of e-mails (default es)', { optional: true, example: 'en' })
  language?: 'es' | 'en';
  @ChangedMetadata
  metadata?: Metadata | null;
}

@InputType({ description: 'A new customer' })
export class CreateCustomer extends UpdateCustomer {
  @Text("The merchant's ID for the customer, unique among its customers", {
    optional: true,
    max: 100,
    digits: true,
    example: 'client-77',
  })
  external_id?: string;
  @Flag('Whether the customer has a balance account (default true); must be false for PSE payments', {
    optional: true,
    example: true,
  })
  requires_account?: boolean;
}

@ArgsType()
class CustomerFilters extends Filters {
  @Text("The merchant's ID for the customer", { optional: true, max: 100 })
  external_id?: string;
  @Text('E-mail address, case-insensitive', { optional: true, max: 100 })
  email?: string;
  @Text('Prefix of the given names, case-insensitive', { optional: true, max: 100 })
  name?: string;
  @MetadataFilter
  metadata?: Metadata;
}

const CustomerSort = choice(
  'CustomerSort',
  'Sort order of customers. Names are compared without case and accents',
  'creation_desc',
  'creation_asc',
  'name_asc',
  'name_desc',
);
export type CustomerSortName = keyof typeof CustomerSort.words;

@ArgsType()
export class CustomersArgs extends paged(CustomerFilters) {}

@ArgsType()
export class CustomersConnectionArgs extends cursorPaged(CustomerFilters) {
  @CustomerSort.field('Sort order (default creation_desc)', { optional: true })
  sort?: CustomerSortName;
}

@ObjectType({ description: 'A page of customers' })
export class CustomerConnection extends connectionOf(Customer) {}
