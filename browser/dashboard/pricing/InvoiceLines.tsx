/** The lines of a charge: full amount, discount, extras, credit and total. */
import { Link } from 'wouter-preact';
import { formatMoney, toCentavos } from '../../shared/format';
import { Money } from '../../shared/ui/Figures';
import type { Invoice } from './operations';
import { t } from './texts';

interface InvoiceLinesProps {
  /** Null for a charge of just the plan. */
  invoice: Invoice | null;
  /** The code of the coupon, if it is known. */
  coupon?: string | undefined;
  /** The name of the plan. */
  plan: string;
  amount: number;
  /** The name of the total. */
  total: string;
}

export function InvoiceLines({ invoice, plan, coupon, amount, total }: InvoiceLinesProps) {
  const { quantity = 1, full_amount = amount, discount = 0, coupon_id, extras = [], credit = 0 } = invoice ?? {};
  const off = coupon ? t.discountOf(coupon) : t.discount;
  const unit = formatMoney(toCentavos(full_amount / quantity));
  return (
    <table class="invoice" aria-label={total}>
      <tbody>
        <Line amount={full_amount}>
          {plan} {quantity > 1 && <small>{t.units(quantity, unit)}</small>}
        </Line>
        {discount > 0 && (
          <Line amount={-discount}>{coupon_id ? <Link href={`/coupons/${coupon_id}`}>{off}</Link> : off}</Line>
        )}
        {extras.map(({ id, description, amount }) => (
          <Line key={id} amount={amount}>
            {description}
          </Line>
        ))}
        {credit > 0 && <Line amount={-credit}>{t.usedCredit}</Line>}
      </tbody>
      <tfoot>
        <Line amount={amount}>{total}</Line>
      </tfoot>
    </table>
  );
}

const Line = ({ amount, children }: { amount: number; children: preact.ComponentChildren }) => (
  <tr>
    <th scope="row">{children}</th>
    <td class="number">
      <Money amount={amount} />
    </td>
  </tr>
);
