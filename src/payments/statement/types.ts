/** Statement type by the name of a ledger movement without its transaction ID. */
const typeByName = {
  charge: 'charge',
  refund: 'refund',
  unrefund: 'refund_failure',
  'chargeback open': 'chargeback',
  'chargeback after': 'chargeback',
  'chargeback rejected': 'chargeback_reversal',
  fee: 'fee',
  'fee refund': 'fee_refund',
  payout: 'payout',
  'payout returned': 'payout_return',
} as const;

/** Manual ledger entries, which the statement must show because the balance includes them. */
const ADJUSTMENT = 'adjustment';

export const MOVEMENT_TYPES = [...new Set(Object.values(typeByName)), ADJUSTMENT];

export const typeOf = (movement: string): string =>
  new Map<string, string>(Object.entries(typeByName)).get(movement.slice(0, movement.lastIndexOf(' '))) ?? ADJUSTMENT;

/** Replaces spaces of movement names, which contain no dashes. */
export const idOf = (movement: string): string => movement.replaceAll(' ', '-');
export const movementOf = (id: string): string => id.replaceAll('-', ' ');
