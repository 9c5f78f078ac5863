/** The links and codes of receipts, which are derived from the charge. */

import { chargeIdIn, idsOfCode, readCode, receiptCode, receiptUrl } from '../../../src/payments/receipts/token';
import { idsFrom } from '../../../src/platform/identifiers';

const key = Buffer.alloc(32, 1);
const otherKey = Buffer.alloc(32, 2);
const newId = idsFrom(Buffer.from('receipts'));
const ids = [`t${'0'.repeat(19)}`, `t${'z'.repeat(19)}`, ...Array.from({ length: 200 }, () => newId('transaction'))];
const tokenOf = (url: string): string => url.slice('https://pay.example/r/'.length);

it('a link leads to its charge, under its key only', () => {
  for (const id of ids) {
    const token = tokenOf(receiptUrl('https://pay.example', key, { id }));
    expect([chargeIdIn(key, token), chargeIdIn(otherKey, token)]).toEqual([id, undefined]);
  }
});

it('a code is found by the range of its charge, and by no other key', () => {
  const codes = ids.map(id => receiptCode(key, { id }));
  expect(new Set(codes).size).toBe(codes.length);
  for (const [i, code] of codes.entries()) {
    const id = ids[i] ?? '';
    const { gte, lte } = idsOfCode(code);
    expect([gte <= id, id <= lte, gte.length, lte.length]).toEqual([true, true, 20, 20]);
    expect(receiptCode(otherKey, { id })).not.toBe(code);
  }
});

it.each([
  ['7K3M-9QX2-4ABD', '7K3M-9QX2-4ABD'],
  [' 7k3m 9qx2 4abd ', '7K3M-9QX2-4ABD'],
  ['oil0-0000-0000', '0110-0000-0000'],
  ['7K3M-9QX2-4AB', undefined],
  ['7K3M-9QX2-4ABDE', undefined],
  ['7K3M-9QX2-4ABU', undefined],
  ['', undefined],
])('%s is read as %s', (text, code) => {
  expect(readCode(text)).toBe(code);
});
