/** What a merchant can script for the next charges to a saved card. */
import { declines } from '../acquirer/codes';
import { type ErrorName, errorCodeOf } from '../platform/errors';

/** How the acquirer behaves, apart from yes and no. */
export const BEHAVIOURS = ['approve', 'timeout', 'timeout_after_charge', 'slow'] as const;
export type ScriptedOutcome = (typeof BEHAVIOURS)[number] | ErrorName;

const kinds = new Map(Object.values(declines).map(kind => [String(errorCodeOf(kind)), kind]));

/** All that can be scripted. */
export const SCRIPTED_OUTCOMES: readonly (string | number)[] = [
  ...BEHAVIOURS,
  ...[...kinds.keys()].map(Number).sort((a, b) => a - b),
];

/** Undefined where there is no such outcome. */
export function parseScriptedOutcome(value: string | number): ScriptedOutcome | undefined {
  const text = String(value);
  return BEHAVIOURS.find(behaviour => behaviour === text) ?? kinds.get(text);
}
