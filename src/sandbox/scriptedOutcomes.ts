import { errorsByResponseCode } from '../gateway/acquirer/codes';
import type { MerchantAdvice } from '../gateway/acquirer/port';
import { type ErrorKind, errorCodeOf } from '../platform/errors';

/** Outcomes other than declines, which are scripted by their error code. */
const BEHAVIOURS = ['approve', 'timeout', 'timeout_after_charge', 'slow'] as const;

interface AdvisedDecline {
  kind: ErrorKind;
  advice: MerchantAdvice;
}

export type ScriptedOutcome = (typeof BEHAVIOURS)[number] | ErrorKind | AdvisedDecline;

const declinesByCode = new Map(Object.values(errorsByResponseCode).map(kind => [String(errorCodeOf(kind)), kind]));
const CODES = [...declinesByCode.keys()].sort();

export const SCRIPTED_OUTCOMES: readonly (string | number)[] = [...BEHAVIOURS, ...CODES.map(Number)];

/** For example `3001 do_not_retry` or `3003 retry_after_72h`. */
const ADVISED_DECLINE = `^(${CODES.join('|')}) (do_not_retry|retry_after_([1-9][0-9]{0,2})h)$`;
const advisedDecline = new RegExp(ADVISED_DECLINE);

export const SCRIPTED_OUTCOME_SCHEMA = {
  accepts: { anyOf: [{ enum: SCRIPTED_OUTCOMES }, { type: 'string', pattern: ADVISED_DECLINE }] },
  answers: { anyOf: [{ enum: [...SCRIPTED_OUTCOMES, ...CODES] }, { type: 'string', pattern: ADVISED_DECLINE }] },
};

export function parseScriptedOutcome(value: string | number): ScriptedOutcome | undefined {
  const text = String(value);
  const [, code = text, advice, hours] = advisedDecline.exec(text) ?? [];
  const kind = declinesByCode.get(code);
  if (!kind) return BEHAVIOURS.find(behaviour => behaviour === text);
  if (advice === undefined) return kind;
  return { kind, advice: hours === undefined ? 'do_not_retry' : { retry_after_hours: Number(hours) } };
}
