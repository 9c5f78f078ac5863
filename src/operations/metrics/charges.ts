/** Counts charges by their outcome. A process that imports this file observes its own. */
import { Counter } from 'prom-client';
import { chargeSettled } from '../../payments/charges/outcome/rows';
import type { TransactionRow } from '../../payments/charges/rows';
import { environmentOf } from '../../platform/database/environments';
import { errorCodeOf } from '../../platform/errors';
import { registry } from '../../platform/metrics/counters';

const charges = new Counter({
  name: 'recaudo_charges_total',
  help: 'Charges whose outcome was written, renewals included.',
  labelNames: ['environment', 'method', 'outcome'],
  registers: [registry],
});

const UNAVAILABLE_CODE = errorCodeOf('unavailable');

function outcomeOf({ progress, status, error_code }: TransactionRow): string {
  if (progress === 'authorized') return progress;
  if (status !== 'failed') return status;
  return error_code === UNAVAILABLE_CODE ? 'not_made' : 'declined';
}

chargeSettled.observe(({ db, row }) => {
  void environmentOf(db, row.merchant_id).then(
    environment => environment && charges.inc({ environment, method: row.method, outcome: outcomeOf(row) }),
  );
});
