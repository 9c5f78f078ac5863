import { errorsByResponseCode } from '../gateway/acquirer/codes';
import { type ErrorKind, errorCodeOf } from '../platform/errors';

/** Outcomes other than declines, which are scripted by their error code. */
const BEHAVIOURS = ['approve', 'timeout', 'timeout_after_charge', 'slow'] as const;
export type ScriptedOutcome = (typeof BEHAVIOURS)[number] | ErrorKind;

const declinesByCode = new Map(Object.values(errorsByResponseCode).map(kind => [String(errorCodeOf(kind)), kind]));

export const SCRIPTED_OUTCOMES: readonly (string | number)[] = [
  ...BEHAVIOURS,
  ...[...declinesByCode.keys()].map(Number).sort((a, b) => a - b),
];

export function parseScriptedOutcome(value: string | number): ScriptedOutcome | undefined {
  const text = String(value);
  return BEHAVIOURS.find(behaviour => behaviour === text) ?? declinesByCode.get(text);
}
