/** Operator requests for subscriptions in the Temporal UI. Each is an update with a response, and an activity. */

/** Input of an operator request. */
export interface OperatorForm {
  reason: string;
  /** Name of the operator, for servers without authentication. */
  actor: string;
  /** For hold: time of the automatic release. */
  until?: string;
}

/** `request_id` makes activities idempotent; `update_id` identifies the request in the history. */
export interface OperatorRequest extends OperatorForm {
  request_id: string;
  update_id: string | undefined;
}

/** Descriptions in the form of the Temporal UI. */
export const OPERATOR_REQUESTS = {
  cancel: 'Cancels the subscription immediately, like the merchant’s DELETE.',
  hold: 'Holds billing until it is released, or until the time in "until", such as 2026-12-01T08:00:00-05:00.',
  release: 'Releases the billing hold. Every due period is charged once.',
  retryNow: 'Retries the unpaid period immediately, without using up a retry.',
  askAcquirerNow: 'Looks up the unanswered charge at the acquirer immediately.',
} as const satisfies Record<string, string>;
export type OperatorRequestName = keyof typeof OPERATOR_REQUESTS;

/** Unsupported requests and the reason. */
export const REFUSED_REQUESTS: Readonly<Record<string, string>> = {
  changeCard: 'Only the merchant can change the card: PUT the subscription with another source_id.',
};

export const FORM_EXAMPLE = '{"reason": "Wrong price", "actor": "Ana"}';
const MAX_REASON_LENGTH = 1000;
const MAX_ACTOR_LENGTH = 100;

/** Validates the input and returns the problem, or undefined. */
export function formProblem(form: unknown): string | undefined {
  const { reason, actor, until } = (typeof form === 'object' && form !== null ? form : {}) as Record<string, unknown>;
  if (!isFilledIn(reason) || !isFilledIn(actor)) return `reason and actor are required, for example ${FORM_EXAMPLE}`;
  if (reason.length > MAX_REASON_LENGTH) return `reason must have at most ${MAX_REASON_LENGTH} characters`;
  if (actor.length > MAX_ACTOR_LENGTH) return `actor must have at most ${MAX_ACTOR_LENGTH} characters`;
  if (until !== undefined && typeof until !== 'string')
    return 'until must be a time such as "2026-12-01T08:00:00-05:00"';
  return undefined;
}

const isFilledIn = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
