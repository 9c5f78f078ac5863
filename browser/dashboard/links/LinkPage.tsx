import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { formatMoney } from '../../shared/format';
import { CopyableLine } from '../../shared/ui/Copyable';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { useQuery } from '../api/useQuery';
import { planLabel } from '../plans/terms';
import { ActionButton } from '../ui/ActionButton';
import { ObjectPage } from '../ui/ObjectPage';
import { Section } from '../ui/Section';
import { amountRange, customerOf, isShared, LinkChip, linkAmount, linkLabel, methodsOf } from './columns';
import { Payers, QrCode } from './LinkParts';
import { CANCEL_LINK, isUse, type LinkRow, ONE_LINK, SEND_LINK } from './operations';
import { t } from './texts';

/** Interval of the requests of an open page. */
const AGAIN_MS = 5000;

export function LinkPage({ id }: { id: string }) {
  const loaded = useQuery(ONE_LINK, { id }, { refreshOn: ({ name }) => isUse(name) });
  const { kind, status } = loaded.data?.paymentLink ?? {};
  // A saved card emits no event.
  const isWaiting = kind === 'card' && status === 'active';
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(loaded.refresh, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting, loaded.refresh]);
  return (
    <ObjectPage of={loaded}>
      {({ paymentLink, uses }) => (
        <LinkView link={required(paymentLink)} uses={uses?.nodes ?? []} reload={loaded.reload} />
      )}
    </ObjectPage>
  );
}

function LinkView({ link, uses, reload }: { link: LinkRow; uses: readonly LinkRow[]; reload: () => void }) {
  const { kind, status, url, customer, customer_id, plan, plan_id, transaction_id, card_id, subscription_id } = link;
  const label = linkLabel(link);
  const amount = linkAmount(link);
  const isActive = status === 'active';
  const name = customerOf(link);
  return (
    <>
      <PageHead title={label} name={`${t.one} ${label}`} action={isActive && <LinkActions link={link} done={reload} />}>
        <LinkChip status={status} />
        {label !== t.kinds[kind] && <span class="hint">{t.kinds[kind]}</span>}
      </PageHead>
      {isActive && (
        <Section
          title={t.url}
          action={
            <a class="button plain" href={url} target="_blank" rel="noreferrer">
              {t.open}
            </a>
          }
        >
          <CopyableLine label={t.url} text={url} />
          {transaction_id && <p class="hint">{t.chosen}</p>}
          {!link.parent_id && <QrCode link={link} />}
        </Section>
      )}
      {isShared(link) && <Payers link={link} uses={uses} />}
      <Section title={t.facts} fields={['paymentLink.status', 'paymentLink.amount', 'paymentLink.methods']}>
        <Facts
          of={[
            [t.amount, amount !== undefined ? <Money key="amount" amount={amount} /> : amountRange(link)],
            [t.suggested, link.suggested_amounts?.map(one => formatMoney(one)).join(', ')],
            [t.maxPayments, link.max_payments],
            [t.parent, link.parent_id && <Link href={`/links/${link.parent_id}`}>{t.viewParent}</Link>],
            [t.iva, link.iva],
            [t.plan, plan && <Link href={`/plans/${plan_id}`}>{planLabel(plan)}</Link>],
            [t.quantity, (link.quantity ?? 1) > 1 && link.quantity],
            [t.coupon, link.coupon],
            [t.acceptsCoupons, link.accepts_coupons && t.yes],
            [t.consent, link.consent_text],
            [t.consentDate, link.consent_date && <Moment key="consent" at={link.consent_date} />],
            [t.customer, customer ? <Link href={`/customers/${customer_id}`}>{name}</Link> : name],
            [t.methods, methodsOf(link)],
            [t.order, link.order_id],
            [t.payment, transaction_id && <Link href={`/charges/${transaction_id}`}>{t.viewPayment}</Link>],
            [
              t.subscription,
              subscription_id && <Link href={`/subscriptions/${subscription_id}`}>{t.viewSubscription}</Link>,
            ],
            [t.savedCard, card_id && <Id id={card_id} />],
            [t.expires, (isActive || status === 'expired') && <Moment key="expires" at={link.expires_at} />],
            [t.sentTo, link.email],
            [t.back, link.redirect_url],
            [t.created, <Moment key="created" at={link.creation_date} />],
            [t.id, <Id key="id" id={link.id} />],
          ]}
        />
      </Section>
    </>
  );
}

function LinkActions({ link: { id, email, customer }, done }: { link: LinkRow; done: () => void }) {
  return (
    <>
      <ActionButton
        label={t.send}
        kind="primary"
        question={t.sendHint}
        fields={[{ name: 'email', label: t.recipient, type: 'email', value: email ?? customer?.email ?? '' }]}
        run={async ({ email = '' }, key) => {
          await ask(SEND_LINK, { id, email: { email } }, { key });
          return t.sent(email);
        }}
        done={done}
      />
      <ActionButton
        label={t.cancel}
        kind="danger"
        question={t.cancelHint}
        run={(_, key) => ask(CANCEL_LINK, { id }, { key }).then(() => t.cancelled)}
        done={done}
      />
    </>
  );
}
