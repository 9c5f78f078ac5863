import { ArgsType, InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, choice, Flag, Moment, Nested, Text } from '../../schema/shapes';

const CustomerStatus = choice('CustomerStatus', 'A deleted customer takes no transaction', 'active', 'deleted');

/**
 * An address comes in two ways of writing: Colombian forms have a department, a city and the rest in one text; forms of
 * cards, in most client libraries, have lines and a postal code. What is sent is what comes back.
 */
@ObjectType({ description: 'An address, commonly where things are sent' })
export class CustomerAddress {
  @Text('Department', { optional: true, example: 'Antioquia' })
  department?: string | null;
  @Text('City', { optional: true, example: 'Medellín' })
  city?: string | null;
  @Text('Street, number and whatever else', { optional: true, example: 'Carrera 43A # 1-50' })
  additional?: string | null;
  @Text('First line, as the street and the number', { optional: true })
  line1?: string | null;
  @Text('Second line', { optional: true })
  line2?: string | null;
  @Text('Third line', { optional: true })
  line3?: string | null;
  @Text('State', { optional: true })
  state?: string | null;
  @Text('Postal code', { optional: true })
  postal_code?: string | null;
  @Text('Country, two letters', { optional: true })
  country_code?: string | null;
}

@ObjectType({ description: 'A customer of the merchant' })
export class Customer {
  @Text('Unique identifier', { id: 'customer', example: 'a9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('When it was created')
  creation_date!: Date;
  @Text('Given name(s)', { example: 'María' })
  name!: string;
  @Text('Last name', { nullable: true, example: 'Gómez' })
  last_name!: string | null;
  @Text('E-mail address', { example: 'maria@example.com' })
  email!: string;
  @Text('Phone number', { nullable: true, example: '3001234567' })
  phone_number!: string | null;
  @CustomerStatus.field('active or deleted')
  status!: 'active' | 'deleted';
  @Flag('Whether it has a balance account', { example: true })
  requires_account!: boolean;
  @Amount('Balance of its account; 0 without one', { example: 0 })
  balance!: Money;
  @Text("The merchant's own identifier", { nullable: true, example: 'client-77' })
  external_id!: string | null;
  @Text('Not used', { nullable: true })
  address!: null;
  @Nested('Address', () => CustomerAddress, { nullable: true })
  customer_address!: CustomerAddress | null;
  @Text('Not used', { nullable: true })
  clabe!: null;
}

@InputType({ description: 'An address' })
export class CustomerAddressInput {
  @Text('Department', { optional: true, personal: true, max: 255, example: 'Antioquia' })
  department?: string;
  @Text('City', { optional: true, personal: true, max: 255, example: 'Medellín' })
  city?: string;
  @Text('Street, number and whatever else', { optional: true, personal: true, max: 255, example: 'Carrera 43A # 1-50' })
  additional?: string;
  @Text('First line, as the street and the number', { optional: true, personal: true, max: 255 })
  line1?: string;
  @Text('Second line', { optional: true, personal: true, max: 255 })
  line2?: string;
  @Text('Third line', { optional: true, personal: true, max: 255 })
  line3?: string;
  @Text('State', { optional: true, personal: true, max: 255 })
  state?: string;
  @Text('Postal code', { optional: true, personal: true, max: 255, digits: true })
  postal_code?: string;
  @Text('Country, two letters', { optional: true, personal: true, max: 255 })
  country_code?: string;
}

@InputType({ description: 'What a customer is changed to; what is left out stays' })
export class UpdateCustomer {
  @Text('Given name(s)', { personal: true, max: 100, example: 'María' })
  name!: string;
  @Text('Last name', { optional: true, personal: true, max: 100, example: 'Gómez' })
  last_name?: string;
  @Text('E-mail address', { max: 100, email: true, example: 'maria@example.com' })
  email!: string;
  @Text('Phone number', { optional: true, max: 100, digits: true, example: '3001234567' })
  phone_number?: string;
  @Nested('Address', () => CustomerAddressInput, { optional: true })
  customer_address?: CustomerAddressInput;
}

@InputType({ description: 'What a customer is created with' })
export class CreateCustomer extends UpdateCustomer {
  @Text("The merchant's own identifier, unique among its customers", {
    optional: true,
    max: 100,
    digits: true,
    example: 'client-77',
  })
  external_id?: string;
  @Flag('Whether it has a balance account; must be false for PSE', { optional: true, example: true })
  requires_account?: boolean;
}

@ArgsType()
class CustomerFilters extends Filters {
  @Text("The merchant's own identifier", { optional: true, max: 100 })
  external_id?: string;
  @Text('With this e-mail address, in any letter case', { optional: true, max: 100 })
  email?: string;
  @Text('Whose name begins so, in any letter case', { optional: true, max: 100 })
  name?: string;
}

const CustomerSort = choice(
  'CustomerSort',
  'What customers are sorted by, and which way. Names go without letter case and accents',
  'creation_desc',
  'creation_asc',
  'name_asc',
  'name_desc',
);
export type CustomerSortName = keyof typeof CustomerSort.words;

@ArgsType()
export class CustomersPage extends paged(CustomerFilters) {}

@ArgsType()
export class CustomersWindow extends cursorPaged(CustomerFilters) {
  @CustomerSort.field('In which order; absent: creation_desc', { optional: true })
  sort?: CustomerSortName;
}

@ObjectType({ description: 'A window on the list of customers' })
export class CustomerConnection extends connectionOf(Customer) {}
