/** Acquirer responses are limited in size and sanitized before they are stored and shown. */
import { readAdvice, readCode, readInstructions, readRules } from '../../../src/gateway/acquirer/readAnswer';

it.each([
  ['A1B2C3', 'A1B2C3'],
  ['x'.repeat(30), 'x'.repeat(20)],
  ['A\u00001\ud800ñ', 'A1'],
])('the authorization code %j is stored as %j', (authorization, kept) => expect(readCode(authorization)).toBe(kept));

it("shortens the names of fraud rules, and removes card numbers and characters that PostgreSQL's JSON refuses", () => {
  const rules = ['velocity', `a\u0000b\ud800`, '4242424242424242', `${'😀'.repeat(120)}`, 5];
  expect(readRules(rules)).toEqual(['velocity', 'ab', '…', '😀'.repeat(100)]);
});

it.each([
  ['do_not_retry', 'do_not_retry'],
  [{ retry_after_hours: 24 }, { retry_after_hours: 24 }],
  [{ retry_after_hours: 1e9 }, { retry_after_hours: 60 * 24 }],
  ...[undefined, null, 'later', 24, {}, { retry_after_hours: '24' }, { retry_after_hours: -1 }].map(each => [
    each,
    undefined,
  ]),
])('reads the advice %j as %j, and ignores an unknown one', (advice, expected) =>
  expect(readAdvice({ advice })).toEqual(expected === undefined ? {} : { advice: expected }),
);

describe('the store networks of a voucher', () => {
  const references = { reference: '1234567890123452', paybin_reference: '01011234567890123452' };
  const network = { name: 'Efecty', stores: ['Efecty'] };

  it('are kept if both are valid', () => {
    const networks = [network, { name: 'Paybin', stores: ['Baloto', 5, 'a\u0000b', ''] }];
    const issued = { ...references, networks: [network, { name: 'Paybin', stores: ['Baloto'] }] };
    expect(readInstructions({ ...references, networks })).toEqual({ issued });
  });

  it.each([undefined, 'Efecty', [network], [network, null], [network, { name: 'x'.repeat(51), stores: ['x'] }]])(
    'are ignored as %j',
    networks => expect(readInstructions({ ...references, networks })).toEqual({ issued: references }),
  );
});
