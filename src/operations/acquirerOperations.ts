/** Registry of all acquirer operations, used by the recovery and the operators' commands. */

import { renewal } from '../billing/subscriptions/billing/attempt';
import { firstCharge } from '../billing/subscriptions/creation/firstCharge';
import type { AcquirerOperation } from '../gateway/acquirer/operation';
import { cancellation, capture } from '../payments/charges/card/capture';
import { cardCharge } from '../payments/charges/card/charge';
import { refund } from '../payments/charges/card/refund';
import { expiry } from '../payments/charges/expiry';
import { issue } from '../payments/charges/pending/create';
import { pageAttempt } from '../payments/charges/pending/payByCard';
import type { TransactionRow } from '../payments/charges/rows';
import { payout } from '../payments/payouts/send';

type RegisteredOperation = AcquirerOperation<TransactionRow, never, unknown>;

export const ACQUIRER_OPERATIONS = {
  ...{ cardCharge, capture, cancellation, expiry, refund },
  ...{ pageAttempt, issue, firstCharge, renewal, payout },
} satisfies Record<string, RegisteredOperation>;

const operations: RegisteredOperation[] = Object.values(ACQUIRER_OPERATIONS);

/** Undefined if no acquirer request is pending for the row. */
export const operationOf = (row: TransactionRow): RegisteredOperation | undefined =>
  operations.find(({ definition }) => definition.progress === row.progress && definition.matches(row));

const leased = operations.filter(({ definition }) => definition.recoveredBy === 'lease');
/** SQL list for `progress in (…)`; must match the index `transactions_unfinished`. */
export const LEASED_PROGRESS = [...new Set(leased.map(({ definition }) => `'${definition.progress}'`))].join(', ');
