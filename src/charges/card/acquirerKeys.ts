/** The keys under which the acquirer knows what a charge asked of it. The audit spells them the same way. */
import type { TransactionRow } from '../view';

/** A payment page may need several attempts, each with a key of its own; any other charge has its id. */
export const chargeKey = ({ id, page_key, method, attempts }: TransactionRow): string =>
  page_key !== null && method === 'card' ? `${id}-pay-${attempts}` : id;

export const captureKey = ({ id, attempts }: TransactionRow): string => `${id}-capture-${attempts}`;
