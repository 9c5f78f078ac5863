/** How a statement names the movements of the ledger. */

/** By the beginning of a movement's name, up to the id of its transaction. */
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

/** What the books hold besides, by somebody's hand: it is in the balance, so it is shown. */
const ADJUSTMENT = 'adjustment';

export const MOVEMENT_TYPES = [...new Set(Object.values(typeByName)), ADJUSTMENT];

export const typeOf = (movement: string): string =>
  new Map<string, string>(Object.entries(typeByName)).get(movement.slice(0, movement.lastIndexOf(' '))) ?? ADJUSTMENT;

/** Names of movements have spaces, which are a nuisance in identifiers; nothing else in them is a dash. */
export const idOf = (movement: string): string => movement.replaceAll(' ', '-');
export const movementOf = (id: string): string => id.replaceAll('-', ' ');
