/** The charges after a change, from its preview. */
import { formatDay, formatMoney } from '../../shared/format';
import { Facts } from '../../shared/ui/Facts';
import type { PricePreview } from './operations';
import { t } from './texts';

const money = (amount: number): string | undefined => (amount > 0 ? formatMoney(amount) : undefined);

function nextCharge({ charges: [next] }: PricePreview): string {
  return next ? t.amountOn(formatMoney(next.amount), formatDay(next.charge_date)) : t.noCharges;
}

export const ChangeEffect = ({ of }: { of: PricePreview }) => (
  <Facts
    of={[
      [t.creditForDays, money(of.credit)],
      [t.chargedNow, formatMoney(of.charge_now)],
      [t.creditLeft, money(of.credit_balance)],
      [t.next, nextCharge(of)],
    ]}
  />
);

/** The next charge after a change that charges nothing now. */
export function NextEffect({ of }: { of: PricePreview }) {
  const { discount = 0, credit = 0 } = of.charges[0]?.invoice ?? {};
  return (
    <Facts
      of={[
        [t.next, nextCharge(of)],
        [t.discount, money(discount)],
        [t.usedCredit, money(credit)],
      ]}
    />
  );
}
