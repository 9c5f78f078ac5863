/** The forms of a charge and of a payment by bank account, at both levels. */

import { REQUIRED_ADDRESS_FIELDS } from '../../../payments/charges/pending/pseRules';
import { CreateCustomer, CustomerAddressInput } from '../../../payments/customers/fields';
import { RETURN_ADDRESS, VISIBLE } from '../../../schema/patterns';
import { ABSENT, type BodyRules, GIVEN, type Level } from './bodyRules';
import { exampleOf } from './examples';
import { type Json, reference } from './json';

const WHOLE_PESOS = { multipleOf: 1 };

/** A bank wants to know where its payer lives. */
const bankPayer: BodyRules = {
  required: ['requires_account', 'customer_address'],
  properties: {
    requires_account: { const: false },
    customer_address: {
      type: 'object',
      required: [...REQUIRED_ADDRESS_FIELDS],
      properties: Object.fromEntries(REQUIRED_ADDRESS_FIELDS.map(name => [name, { type: 'string', pattern: VISIBLE }])),
    },
  },
};

const PAYER_EXAMPLE = {
  ...exampleOf(CreateCustomer, ['name', 'last_name', 'email', 'phone_number']),
  requires_account: false,
  customer_address: exampleOf(CustomerAddressInput, REQUIRED_ADDRESS_FIELDS),
};

/** Who pays is said by the body at merchant level, and by the path at the other. */
const payer = (level: Level): BodyRules =>
  level === 'merchant'
    ? { required: ['customer'], properties: { customer: { ...reference('CreateCustomer'), description: 'Who pays' } } }
    : { properties: { customer: { ...ABSENT, description: 'Refused here: the path says who pays' } } };

const bankAccount = (level: Level): Record<string, Json> => ({
  amount: WHOLE_PESOS,
  ...(level === 'merchant' ? { customer: bankPayer } : {}),
});

export const charge = (level: Level): BodyRules => ({
  ...payer(level),
  oneOf: [
    {
      title: 'A saved card or a token, charged at once',
      required: ['source_id', 'device_session_id'],
      properties: {
        method: { const: 'card' },
        confirm: { enum: [true, null] },
        source_id: GIVEN,
        device_session_id: GIVEN,
      },
    },
    {
      title: 'Any card, on a page of this service',
      required: ['confirm', 'redirect_url'],
      properties: {
        method: { const: 'card' },
        confirm: { const: false },
        capture: { enum: [true, null] },
        redirect_url: { type: 'string', pattern: RETURN_ADDRESS },
      },
    },
    { title: 'A voucher for stores', properties: { method: { const: 'store' } } },
    {
      title: 'A bank account (PSE)',
      properties: { method: { const: 'bank_account' }, ...bankAccount(level) },
    },
  ],
});

export const pse = (level: Level): BodyRules => {
  const { required, properties } = payer(level);
  const addressOrNone = { anyOf: [{ type: 'string', pattern: RETURN_ADDRESS }, ABSENT] };
  return {
    ...(required ? { required } : {}),
    properties: { ...properties },
    allOf: [{ properties: { ...bankAccount(level), redirect_url: addressOrNone } }],
    ...(level === 'merchant' ? { example: { customer: PAYER_EXAMPLE } } : {}),
  };
};
