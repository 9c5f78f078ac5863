/** Decisions of fraud rules on a payment, without a database. */
import { type Judgement, judge } from '../../../src/gateway/fraud/judge';
import { type FraudFacts, type FraudRuleRecord, RULE_KINDS } from '../../../src/gateway/fraud/rule';

const NOON = new Date('2026-11-16T12:30:00-05:00');
const facts: FraudFacts = {
  merchant_id: 'm',
  purpose: 'charges',
  at: NOON,
  amount: 10_000n,
  card: 'hash',
  card_number: '411111XXXXXX1111',
  device: 'phone',
  email: 'Maria@Example.com',
  address: '192.0.2.77',
  customer_id: 'a',
  country: 'CO',
  metadata: {},
};
type Rule = Partial<FraudRuleRecord> & Pick<FraudRuleRecord, 'kind' | 'parameters'>;
const ask = (rules: Rule[], more: Partial<FraudFacts> = {}): Judgement =>
  judge(
    rules.map(rule => ({ name: rule.kind, enabled: true, applies_to: 'charges', ...rule })),
    { ...facts, ...more },
  );
const refused = (rule: Rule, more: Partial<FraudFacts> = {}): boolean => ask([rule], more).refusedBy.length > 0;

it.each([
  ['in', 'CO', true],
  ['in', 'US', false],
  ['in', null, false],
  ['not_in', 'CO', false],
  ['not_in', 'US', true],
  ['not_in', null, false],
] as const)('country rule %s [CO, MX] for a card from %s: %s', (condition, country, expected) => {
  expect(refused({ kind: 'country', parameters: { condition, countries: ['CO', 'MX'] } }, { country })).toBe(expected);
});

it.each([
  ['192.0.2.0/24', '192.0.2.77', true],
  ['192.0.2.0/24', '192.0.3.77', false],
  ['192.0.2.77', '::ffff:192.0.2.77', true],
  ['2001:db8::/32', '2001:db8:1::2', true],
  ['2001:db8::/32', '192.0.2.77', false],
  ['0.0.0.0/0', 'unknown', false],
])('block list %s for the address %s: %s', (value, address, expected) => {
  expect(refused({ kind: 'blocked', parameters: { scope: 'address', values: [value] } }, { address })).toBe(expected);
});

it.each([
  ['maria@example.com', true],
  ['@example.com', true],
  ['@ample.com', false],
  ['ria@example.com', false],
])('block list %s for the e-mail address Maria@Example.com: %s', (value, expected) => {
  expect(refused({ kind: 'blocked', parameters: { scope: 'email', values: [value] } })).toBe(expected);
});

it('a disabled rule and a rule for other payments have no effect', () => {
  const blocked: Rule = { kind: 'blocked', parameters: { scope: 'device', values: ['phone'] } };
  expect(refused(blocked)).toBe(true);
  expect(refused({ ...blocked, enabled: false })).toBe(false);
  expect(refused({ ...blocked, applies_to: 'renewals' })).toBe(false);
  expect(refused({ ...blocked, applies_to: 'both' }, { purpose: 'renewals' })).toBe(true);
});

it('an allowed payment is neither refused nor counted', () => {
  const rules: Rule[] = [
    { kind: 'blocked', parameters: { scope: 'device', values: ['phone'] } },
    { kind: 'attempts', parameters: { scope: 'card', max: 1, minutes: 60 } },
    { kind: 'allowed', parameters: { scope: 'customer', values: ['a'] } },
  ];
  expect(ask(rules)).toEqual({ refusedBy: [], counters: [] });
  expect(ask(rules, { customer_id: 'b' })).toMatchObject({ refusedBy: ['blocked'], counters: [{ rule: 'attempts' }] });
});

it('attempts and declines are counted in time windows, amounts per day in Bogotá', () => {
  const start = (rule: Rule, at: string) =>
    new Date(ask([rule], { at: new Date(at) }).counters[0]?.startMs ?? 0).toISOString();
  const hourly: Rule = { kind: 'attempts', parameters: { scope: 'card', max: 1, minutes: 60 } };
  expect(start(hourly, '2026-11-16T12:00:00-05:00')).toBe('2026-11-16T17:00:00.000Z');
  expect(start(hourly, '2026-11-16T12:59:59-05:00')).toBe('2026-11-16T17:00:00.000Z');
  expect(start(hourly, '2026-11-16T13:00:00-05:00')).toBe('2026-11-16T18:00:00.000Z');
  const daily: Rule = { kind: 'amount', parameters: { scope: 'card', amount: 1 } };
  expect(start(daily, '2026-11-16T00:00:00-05:00')).toBe('2026-11-16T05:00:00.000Z');
  expect(start(daily, '2026-11-16T23:59:59-05:00')).toBe('2026-11-16T05:00:00.000Z');
});

it('IPv6 addresses are counted by network, and e-mail addresses ignore letter case', () => {
  const subject = (scope: 'address' | 'email', more: Partial<FraudFacts>) =>
    ask([{ kind: 'attempts', parameters: { scope, max: 1, minutes: 1 } }], more).counters[0]?.subject;
  expect(subject('address', { address: '2001:db8:1:2:3::4' })).toBe(subject('address', { address: '2001:db8:1:2::9' }));
  expect(subject('email', {})).toBe(subject('email', { email: ' maria@example.COM' }));
});

it('the evaluation skips rules of every kind if the data that they require is unknown', () => {
  const unknown: FraudFacts = { merchant_id: 'm', purpose: 'charges', at: NOON, amount: 0n };
  const parameters = {
    max: 1,
    minutes: 1,
    amount: 1,
    values: [''],
    countries: [''],
    key: 'x',
    condition: 'not_equals',
  } as const;
  for (const kind of RULE_KINDS)
    for (const scope of ['card', 'device', 'email', 'address', 'customer'] as const) {
      const rule = {
        name: kind,
        kind,
        enabled: true,
        applies_to: 'both',
        parameters: { scope, ...parameters, values: ['x'], countries: ['CO'] },
      };
      expect(judge([rule as unknown as FraudRuleRecord], unknown)).toEqual({ refusedBy: [], counters: [] });
    }
});
