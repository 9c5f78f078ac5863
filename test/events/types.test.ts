/** Names with dots become values of GraphQL enums. */
import { type GraphQLEnumType, isEnumType } from 'graphql';
import { AUDIT_ACTIONS } from '../../src/accounts/auditLog/actions';
import { merchantSchema } from '../../src/api/graphql/publishedSchemas';
import { EVENTS } from '../../src/events/types';

it.each([
  ['EventType', Object.keys(EVENTS), 'charge_succeeded', 'charge.succeeded'],
  ['EventType', Object.keys(EVENTS), 'fee_refund_succeeded', 'fee.refund.succeeded'],
  ['AuditAction', Object.keys(AUDIT_ACTIONS), 'merchant_bank_account_changed', 'merchant.bank_account_changed'],
])('%s has a value for each name', (type, names, word, name) => {
  const values = (merchantSchema.getType(type) as GraphQLEnumType).getValues();
  expect(isEnumType(merchantSchema.getType(type))).toBe(true);
  expect(values.map(({ value }) => value)).toEqual(names);
  expect(values.find(value => value.name === word)).toMatchObject({ value: name, description: expect.any(String) });
});
