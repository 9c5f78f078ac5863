/** What a merchant can script for the next charges to a saved card. */
import { declines } from '../acquirer/codes';
import { codeOf, type ErrorName } from '../platform/errors';

/** How the acquirer behaves, apart from yes and no. */
export const BEHAVIOURS = ['approve', 'timeout', 'timeout_after_charge', 'slow'] as const;
export type Step = (typeof BEHAVIOURS)[number] | ErrorName;

const kinds = new Map(Object.values(declines).map(kind => [String(codeOf(kind)), kind]));

/** Undefined where there is no such outcome. */
export function readStep(value: string | number): Step | undefined {
  const text = String(value);
  return BEHAVIOURS.find(behaviour => behaviour === text) ?? kinds.get(text);
}
