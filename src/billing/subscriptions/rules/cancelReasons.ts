/** Why a payer ended a subscription, as the payer's page asks. */
export const CANCEL_REASONS = ['too_expensive', 'not_used', 'not_as_expected', 'switched', 'other'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];
