/** API representation of settlements, also stored in events. */
import type { SettlementModel } from '../../../prisma/generated/models';
import type { Settlement } from './fields';

export type SettlementRow = Omit<SettlementModel, 'status'> & { status: 'matched' | 'differs' };

export const narrowSettlement = (row: SettlementModel): SettlementRow => row as SettlementRow;

export function toSettlement(row: SettlementRow): Settlement {
  const { charges, refunds, chargebacks, payouts, cost, cost_tax } = row;
  const amount = charges + refunds + chargebacks + payouts;
  return { ...row, currency: 'COP', amount, net: amount - cost - cost_tax };
}
