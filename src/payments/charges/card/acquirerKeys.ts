/** The idempotency keys under which operations of a charge are sent to the acquirer. The audit builds the same keys. */
import type { TransactionRow } from '../rows';

/** A payment page may take several attempts, each with its own key; any other charge uses its id. */
export const chargeKey = ({ id, page_key, method, attempts }: TransactionRow): string =>
  page_key !== null && method === 'card' ? `${id}-pay-${attempts}` : id;

export const captureKey = ({ id, attempts }: TransactionRow): string => `${id}-capture-${attempts}`;
