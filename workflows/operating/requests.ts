/**
 * What operators ask of a subscription in the Temporal UI: each as an update, which answers, and as a signal, which the
 * command line can send to everything that a query finds. Each is an activity too.
 */

/** What is filled in. The members that only some requests have are optional. */
export interface OperatorForm {
  reason: string;
  /** Who asks, where the server authenticates nobody. */
  actor: string;
  /** Of pause: when it resumes by itself, as a date with time. */
  until?: string;
}

/** `request_id` is the same however often an activity runs; the other two find who asked in the history. */
export interface OperatorRequest extends OperatorForm {
  request_id: string;
  name: string;
  update_id?: string | undefined;
}

/** What each does, as the form in the Temporal UI says it. */
export const OPERATOR_REQUESTS = {
  cancel: 'Cancels it at once, like the merchant’s DELETE.',
  pause: 'Holds its billing for good, or until a time that "until" says, as 2026-12-01T08:00:00-05:00.',
  resume: 'Releases its billing: what fell due is charged, once.',
  retryNow: 'Tries the unpaid period at once, which uses up no retry.',
  askAcquirerNow: 'Asks the acquirer at once what became of the charge that got no answer.',
} as const satisfies Record<string, string>;
export type OperatorRequestName = keyof typeof OPERATOR_REQUESTS;

/** What operators look for here and do not find, and why. */
export const REFUSED_REQUESTS: Readonly<Record<string, string>> = {
  changeCard: 'A card is a matter of the merchant: it sends another source_id by PUT of the subscription.',
};

export const FORM_EXAMPLE = '{"reason": "why", "actor": "who asks"}';
const MAX_REASON_LENGTH = 1000;
const MAX_ACTOR_LENGTH = 100;

/** What is wrong with a form, in one sentence. Operators can send anything. */
export function formProblem(form: unknown): string | undefined {
  const { reason, actor, until } = (typeof form === 'object' && form !== null ? form : {}) as Record<string, unknown>;
  if (!isFilledIn(reason) || !isFilledIn(actor)) return `Say why, and who asks: ${FORM_EXAMPLE}`;
  if (reason.length > MAX_REASON_LENGTH) return `The reason is longer than ${MAX_REASON_LENGTH} characters`;
  if (actor.length > MAX_ACTOR_LENGTH) return `The actor is longer than ${MAX_ACTOR_LENGTH} characters`;
  if (until !== undefined && typeof until !== 'string') return 'until is a time, as "2026-12-01T08:00:00-05:00"';
  return undefined;
}

const isFilledIn = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
