/**
 * Sandbox test card numbers and their outcomes, used by the simulated acquirer and docs/api.md. Production rejects these
 * numbers.
 */
import type { ErrorKind } from '../../platform/errors';

interface TestNumber {
  number: string;
  about: string;
  type: 'credit' | 'debit';
  /** Error of the verification and of every charge. */
  always?: ErrorKind;
  /** Error of the `first` charges, or of every charge, after a successful verification. */
  charges?: ErrorKind;
  first?: number;
}

type TestNumberRow = readonly [number: string, about: string, outcome?: Partial<Omit<TestNumber, 'number' | 'about'>>];

const rows: readonly TestNumberRow[] = [
  ['4111111111111111', 'approved'],
  ['4242424242424242', 'approved'],
  ['5555555555554444', 'approved'],
  ['5105105105105100', 'approved, a debit card', { type: 'debit' }],
  ['345678000000007', 'approved'],
  ['343434343434343', 'approved'],
  ['36728481533333', 'approved'],
  ['4222222222222220', '3001 declined', { always: 'declined' }],
  ['4000000000000069', '3002 expired', { always: 'card_expired' }],
  ['4444444444444448', '3003 insufficient funds', { always: 'insufficient_funds' }],
  ['4000000000000119', '3004 stolen', { always: 'card_stolen' }],
  ['4000000000000044', '3005 fraud, with fraud_rules', { always: 'fraud' }],
  ['4000000000010076', '1007 transfer not accepted', { always: 'transfer_refused' }],
  ['4000000000030066', '3006 not allowed', { always: 'not_allowed' }],
  ['4000000000030082', '3008 not for online use', { always: 'not_online' }],
  ['4000000000030090', '3009 lost', { always: 'card_lost' }],
  ['4000000000030108', '3010 restricted by the bank', { always: 'card_restricted' }],
  ['4000000000030116', '3011 to be retained', { always: 'card_retained' }],
  ['4000000000030124', '3012 needs an authorization from the bank', { always: 'bank_authorization' }],
  ['4000000000000341', 'can be saved; then every charge is 3001', { charges: 'declined' }],
  ['4000000000003345', 'can be saved; then every charge is 3003', { charges: 'insufficient_funds' }],
  [
    '4000000000000028',
    'can be saved; the first two charges to each saved copy are 3001, then approved',
    { charges: 'declined', first: 2 },
  ],
];

export const testNumbers: ReadonlyMap<string, TestNumber> = new Map(
  rows.map(([number, about, outcome]) => [number, { number, about, type: 'credit', ...outcome }]),
);
