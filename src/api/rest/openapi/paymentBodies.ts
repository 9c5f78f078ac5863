/** The forms of charges and bank payments at both levels. */

import { REQUIRED_ADDRESS_FIELDS } from '../../../payments/charges/pending/pseRules';
import { CreateCustomer, CustomerAddressInput } from '../../../payments/customers/fields';
import { RETURN_ADDRESS, VISIBLE } from '../../../schema/patterns';
import { ABSENT, type BodyRules, GIVEN, type Level } from './bodyRules';
import { exampleOf } from './examples';
import { type Json, reference } from './json';

const WHOLE_PESOS = { multipleOf: 1 };

/** Bank payments require the payer's address. */
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

/** The payer is in the body at merchant level, and in the path at customer level. */
const payer = (level: Level): BodyRules =>
  level === 'merchant'
    ? { required: ['customer'], properties: { customer: { ...reference('CreateCustomer'), description: 'The payer' } } }
    : { properties: { customer: { ...ABSENT, description: 'Not allowed: the payer is in the path' } } };

const bankAccount = (level: Level): Record<string, Json> => ({
  amount: WHOLE_PESOS,
  ...(level === 'merchant' ? { customer: bankPayer } : {}),
});

export const charge = (level: Level): BodyRules => ({
  ...payer(level),
  oneOf: [
    {
      title: 'Saved card or token, charged immediately',
      required: ['source_id', 'device_session_id'],
      properties: {
        method: { const: 'card' },
        confirm: { enum: [true, null] },
        source_id: GIVEN,
        device_session_id: GIVEN,
      },
    },
    {
      title: 'Any card, on a hosted payment page',
      required: ['confirm', 'redirect_url'],
      properties: {
        method: { const: 'card' },
        confirm: { const: false },
        capture: { enum: [true, null] },
        redirect_url: { type: 'string', pattern: RETURN_ADDRESS },
      },
    },
    { title: 'Voucher for stores', properties: { method: { const: 'store' } } },
    {
      title: 'Bank account (PSE)',
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
