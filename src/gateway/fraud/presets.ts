/**
 * Default rules of every merchant. A merchant's rule with the same name replaces a default. Sandbox limits are high,
 * because all merchants use the same test numbers.
 */
import type { Environment } from '../../../prisma/generated/enums';
import { idsFrom } from '../../platform/identifiers';
import type { FraudRuleRecord, RuleKind, RuleScope } from './rule';

const HOUR_MINUTES = 60;

const hourly = (kind: RuleKind, scope: RuleScope, max: number): FraudRuleRecord => ({
  name: `${kind}_per_${scope}`,
  kind,
  enabled: true,
  applies_to: 'charges',
  parameters: { scope, max, minutes: HOUR_MINUTES },
});

export const PRESETS: Readonly<Record<Environment, readonly FraudRuleRecord[]>> = {
  production: [
    hourly('declines', 'card', 5),
    hourly('declines', 'device', 10),
    hourly('declines', 'email', 10),
    hourly('declines', 'address', 50),
    hourly('attempts', 'email', 20),
  ],
  sandbox: [hourly('declines', 'card', 1000), hourly('declines', 'device', 2000), hourly('declines', 'address', 5000)],
};

/** The defaults that no rule of the merchant replaces. */
export const activePresets = (presets: Environment, own: readonly { name: string }[]): FraudRuleRecord[] =>
  PRESETS[presets].filter(({ name }) => own.every(rule => rule.name !== name));

/** A stable ID, so that a default can be read and updated like any other rule. */
export const presetId = (merchant_id: string, name: string): string =>
  idsFrom(Buffer.from(`${merchant_id} ${name}`))('fraud_rule');
