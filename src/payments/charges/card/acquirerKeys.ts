/** Idempotency keys of charge operations at the acquirer. The reconciliation computes the same keys. */
import type { TransactionRow } from '../rows';

/** Each attempt on a payment page has its own key; other charges use their ID. */
export const chargeKey = ({ id, page_key, method, attempts }: TransactionRow): string =>
  page_key !== null && method === 'card' ? `${id}-pay-${attempts}` : id;

export const captureKey = ({ id, attempts }: TransactionRow): string => `${id}-capture-${attempts}`;
