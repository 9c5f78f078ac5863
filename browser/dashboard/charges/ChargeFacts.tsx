import { Link } from 'wouter-preact';
import { formatNumber } from '../../shared/format';
import { CopyableLine } from '../../shared/ui/Copyable';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { planLabel } from '../plans/terms';
import { cardName, cardType, expiryOf, fullName } from '../ui/names';
import { Section } from '../ui/Section';
import { refundedAmount } from './columns';
import type { ChargeDetails } from './operations';
import { reasonName } from './reasons';
import { methodName, t } from './texts';

interface Of {
  charge: ChargeDetails;
}

export function ChargeFacts({ charge }: Of) {
  const { card, payer, customer, customer_id, subscription, method, tax } = charge;
  const refunded = refundedAmount(charge);
  const contact = payer && (
    <>
      {fullName(payer)} <small>{payer.email}</small>
    </>
  );
  const further = card && [card.type && cardType(card.type), card.bank_name, expiryOf(card)];
  return (
    <Facts
      of={[
        [t.columns.payer, contact],
        [
          t.customer,
          customer_id && <Link href={`/customers/${customer_id}`}>{customer ? fullName(customer) : customer_id}</Link>,
        ],
        [
          t.subscription,
          subscription && <Link href={`/subscriptions/${subscription.id}`}>{planLabel(subscription.plan)}</Link>,
        ],
        [t.columns.method, methodName(method)],
        [
          t.columns.card,
          card && (
            <>
              {cardName(card)} <small>{further?.filter(Boolean).join(' · ')}</small>
              <br />
              {card.holder_name}
            </>
          ),
        ],
        [t.installments, charge.payment_plan?.payments],
        [t.columns.refunded, refunded > 0 && <Money amount={refunded} />],
        [t.left, refunded > 0 && refunded < charge.amount && <Money amount={charge.amount - refunded} />],
        [t.columns.order, charge.order_id],
        [t.base, tax && <Money amount={tax.base} />],
        [
          t.iva,
          tax ? (
            <>
              <Money amount={tax.amount} />{' '}
              {tax.rate !== null && <small>{`${formatNumber(Number(tax.rate))} %`}</small>}
            </>
          ) : (
            charge.iva
          ),
        ],
        [t.columns.created, <Moment key="created" at={charge.creation_date} />],
        [t.updated, <Moment key="updated" at={charge.operation_date} />],
        [t.columns.id, <Id key="id" id={charge.id} />],
      ]}
    />
  );
}

export function Acquirer({ charge }: Of) {
  const { authorization, error, error_code, fraud_rules, fee, conciliated, amount } = charge;
  // A refund returns its share of the cost.
  const isWhole = refundedAmount(charge) === 0;
  return (
    <Section title={t.acquirer} fields={['charge.amount', 'charge.error_code', 'charge.fee', 'charge.refunds']}>
      {authorization || error ? (
        <Facts
          of={[
            [t.columns.authorization, authorization],
            [t.columns.reason, error && reasonName(error)],
            [t.code, error_code],
            [t.fraudRules, fraud_rules?.join(', ')],
            [t.columns.settled, conciliated ? t.yes : t.no],
            [t.cost, fee && <Money amount={fee.amount} />],
            [t.tax, fee && <Money amount={fee.tax} />],
            [t.net, fee && isWhole && <Money amount={amount - fee.amount - fee.tax} />],
          ]}
        />
      ) : (
        <p class="hint">{t.notSaid}</p>
      )}
    </Section>
  );
}

/** Payment page or cash references of a pending charge. */
export function Payment({ charge: { payment_method, due_date, status } }: Of) {
  if (!payment_method) return null;
  const { url, key, reference, paybin_reference, receipt_url } = payment_method;
  const waits = status === 'charge_pending' || status === 'in_progress';
  const address = url ?? receipt_url;
  return (
    <Section
      title={t.pay}
      action={
        waits && address ? (
          <a class="button plain" href={address} target="_blank" rel="noreferrer">
            {t.open}
          </a>
        ) : null
      }
    >
      <Facts
        of={[
          [t.due, due_date && waits && <Moment at={due_date} />],
          [t.breBKey, key],
          [t.reference, reference],
          ['Paybin', paybin_reference],
        ]}
      />
      {waits && address && <CopyableLine label={url ? t.payPage : t.receipt} text={address} />}
    </Section>
  );
}
