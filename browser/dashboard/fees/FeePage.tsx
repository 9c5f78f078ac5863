import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { formatMoney } from '../../shared/format';
import { Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { withWords } from '../../shared/words';
import { useQuery } from '../api/useQuery';
import { ChargeFacts } from '../charges/ChargeFacts';
import { ChargeChip, chargeLabel, refundableAmount } from '../charges/columns';
import { ObjectEvents } from '../charges/ObjectEvents';
import { CHARGE_PAGE, type ChargeDetails } from '../charges/operations';
import { ActionButton } from '../ui/ActionButton';
import { ObjectPage } from '../ui/ObjectPage';
import { Section } from '../ui/Section';

const t = withWords({
  es: {
    one: 'Comisión',
    refund: 'Reembolsar',
    hint: 'El valor vuelve al saldo del cliente.',
    refunded: 'Comisión reembolsada.',
    upTo: (amount: string) => `Hasta ${amount}`,
  },
  en: {
    one: 'Fee',
    refund: 'Refund',
    hint: 'The amount returns to the customer’s balance.',
    refunded: 'Fee refunded.',
    upTo: (amount: string) => `Up to ${amount}`,
  },
});

const FEE = graphql(`query Fee($id: ID!) { fee(fee_id: $id) { ...ChargePage } }`, [CHARGE_PAGE]);
const REFUND_FEE = graphql(`
  mutation RefundFee($id: ID!, $amount: Money) { refundFee(fee_id: $id, refund: { amount: $amount }) { id status } }
`);

export function FeePage({ id }: { id: string }) {
  const loaded = useQuery(FEE, { id }, { refreshOn: event => event.object_id === id });
  return <ObjectPage of={loaded}>{({ fee }) => <FeeView fee={required(fee)} reload={loaded.reload} />}</ObjectPage>;
}

function FeeView({ fee, reload }: { fee: ChargeDetails; reload: () => void }) {
  const { id, amount, status } = fee;
  const left = refundableAmount(fee);
  const action = status === 'completed' && left > 0 && (
    <ActionButton
      label={t.refund}
      question={t.hint}
      fields={[{ name: 'amount', label: t.amount, type: 'amount', value: left, hint: t.upTo(formatMoney(left)) }]}
      run={(values, key) => ask(REFUND_FEE, { id, amount: asEntered(values.amount) }, { key }).then(() => t.refunded)}
      done={reload}
    />
  );
  return (
    <>
      <PageHead title={<Money amount={amount} />} name={`${t.one} ${chargeLabel(fee)}`} action={action}>
        <ChargeChip status={status} />
        <span class="hint">
          {t.one} · {chargeLabel(fee)}
        </span>
      </PageHead>
      <Section title={t.facts} fields={['fee.amount', 'fee.refunds']}>
        <ChargeFacts charge={fee} />
      </Section>
      <ObjectEvents of={fee} />
    </>
  );
}
