/** The terms of each type of rule. */

import { asEntered } from '../../shared/api/amounts';
import { formatMoney, formatNumber } from '../../shared/format';
import type { Values } from '../../shared/ui/FieldInput';
import type { RuleInput, RuleRow } from './operations';
import { t } from './texts';

export type Kind = RuleRow['kind'];
type Scope = NonNullable<RuleRow['scope']>;
type Condition = NonNullable<RuleRow['condition']>;
type Term = 'scope' | 'max' | 'minutes' | 'amount' | 'countries' | 'values' | 'key' | 'condition' | 'value';

const PAYERS: Scope[] = ['card', 'device', 'email', 'address', 'customer'];

interface Terms {
  has: Term[];
  scopes?: Scope[];
  conditions?: Condition[];
}

export const TERMS: Readonly<Record<Kind, Terms>> = {
  attempts: { has: ['scope', 'max', 'minutes'], scopes: PAYERS },
  declines: { has: ['scope', 'max', 'minutes'], scopes: PAYERS },
  amount: { has: ['scope', 'amount'], scopes: ['transaction', 'card', 'customer'] },
  country: { has: ['condition', 'countries'], conditions: ['in', 'not_in'] },
  blocked: { has: ['scope', 'values'], scopes: PAYERS },
  allowed: { has: ['scope', 'values'], scopes: PAYERS },
  metadata: {
    has: ['key', 'condition', 'value'],
    conditions: ['equals', 'not_equals', 'present', 'greater_than'],
  },
};

const partsOf = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map(part => part.trim())
    .filter(Boolean);

/** Omits empty values, so that the API reports them as missing. */
export function ruleOf(values: Values): RuleInput {
  const { name = '', kind = 'attempts', applies_to, enabled, scope, condition } = values;
  const { max, minutes, amount, countries, values: list, key, value } = values;
  return {
    name,
    kind: kind as Kind,
    applies_to: applies_to as RuleRow['applies_to'],
    enabled: enabled === 'true',
    ...(scope && { scope: scope as Scope }),
    ...(condition && { condition: condition as Condition }),
    ...(max && { max: Number(max) }),
    ...(minutes && { minutes: Number(minutes) }),
    ...(amount && { amount: asEntered(amount) }),
    ...(countries && { countries: partsOf(countries) }),
    ...(list && { values: partsOf(list) }),
    ...(key && { key }),
    ...(value && { value }),
  };
}

/** `la tarjeta · 5 / 60 min` */
export function summaryOf({ scope, condition, max, minutes, amount, countries, values, key, value }: RuleRow): string {
  const parts = [
    scope && t.scopes[scope],
    key,
    condition && t.conditions[condition],
    max && `${formatNumber(max)} / ${minutes} min`,
    amount && formatMoney(amount),
    countries?.join(', '),
    values && formatNumber(values.length),
    value,
  ];
  return parts.filter(Boolean).join(' · ');
}
