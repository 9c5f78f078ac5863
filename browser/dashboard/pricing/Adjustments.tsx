/** The coupon, the extras and the credit of a subscription. */
import { Link } from 'wouter-preact';
import { toApiAmount } from '../../shared/amounts';
import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { formatMoney, toCentavos } from '../../shared/format';
import { Money } from '../../shared/ui/Figures';
import { couponField } from '../coupons/couponField';
import { discountName } from '../coupons/terms';
import { t as couponTexts } from '../coupons/texts';
import type { SubscriptionDetails } from '../subscriptions/subscription';
import { ActionButton, type Values } from '../ui/ActionButton';
import { Section } from '../ui/Section';
import { NextEffect } from './effects';
import { ADD_EXTRA, APPLY_COUPON, previewPrice, REMOVE_COUPON, REMOVE_EXTRA, RETURN_CREDIT } from './operations';
import { t } from './texts';

interface Of {
  of: SubscriptionDetails;
  done: () => void;
}

export const Adjustments = ({ of, done }: Of) => (
  <Section
    title={t.adjustments}
    fields={['subscription.coupon', 'subscription.extras', 'subscription.credit_balance']}
    action={
      <span class="actions">
        <AddCoupon of={of} done={done} />
        <AddExtra of={of} done={done} />
      </span>
    }
  >
    <CouponLine of={of} done={done} />
    <Extras of={of} done={done} />
    {of.credit_balance !== null && (
      <p>
        {t.credit}: <Money amount={of.credit_balance} /> <small>{t.creditHint}</small>
      </p>
    )}
  </Section>
);

function CouponLine({ of: { id, coupon }, done }: Of) {
  if (!coupon) return <p class="hint">{t.noCoupon}</p>;
  const left = coupon.periods_left === null ? t.forever : couponTexts.left(coupon.periods_left);
  return (
    <div class="line">
      <span>
        {t.coupon} <Link href={`/coupons/${coupon.coupon_id}`}>{coupon.code}</Link>{' '}
        <small>
          {discountName(coupon)} · {left}
        </small>
      </span>
      <ActionButton
        label={t.removeCoupon}
        question={t.removeCouponQuestion}
        run={async (_, key) => {
          await ask(REMOVE_COUPON, { id }, { key });
          return t.couponRemoved;
        }}
        done={done}
      />
    </div>
  );
}

function AddCoupon({ of: { id, coupon: current }, done }: Of) {
  return (
    <ActionButton
      label={current ? t.replaceCoupon : t.addCoupon}
      {...(current && { question: t.replacesHint(current.code) })}
      fields={[couponField({ label: t.couponCode })]}
      preview={async ({ coupon }, signal) =>
        coupon
          ? { shown: <NextEffect of={await previewPrice(id, { coupon: { coupon } }, signal)} /> }
          : { shown: t.enterCode, isIncomplete: true }
      }
      run={async ({ coupon = '' }, key) => {
        await ask(APPLY_COUPON, { id, coupon: { coupon } }, { key });
        return t.couponAdded;
      }}
      done={done}
    />
  );
}

function Extras({ of: { id, extras }, done }: Of) {
  if (!extras) return <p class="hint">{t.noExtras}</p>;
  return (
    <table class="invoice" aria-label={t.extras}>
      <caption>{t.extras}</caption>
      <tbody>
        {extras.map(extra => (
          <tr key={extra.id}>
            <th scope="row">{extra.description}</th>
            <td class="number">
              <Money amount={extra.amount} />
            </td>
            <td>
              <ActionButton
                label={t.removeExtra}
                title={t.removeExtraTitle(extra.description)}
                question={t.removeExtraQuestion}
                run={async (_, key) => {
                  await ask(REMOVE_EXTRA, { id, extra: extra.id }, { key });
                  return t.extraRemoved;
                }}
                done={done}
              />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t.sum}</th>
          <td class="number">
            <Money amount={toCentavos(extras.reduce((sum, { amount }) => sum + amount, 0))} />
          </td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

/** The amount is typed without a sign, which the type of the extra gives. The API takes negative amounts as numbers only. */
const extraOf = ({ kind, description = '', amount = '' }: Values) => ({
  description: description || t.extras,
  amount: kind === 'courtesy' ? -Number(toApiAmount(amount)) : asEntered(amount),
});

function AddExtra({ of: { id }, done }: Of) {
  return (
    <ActionButton
      label={t.addExtra}
      question={t.extraHint}
      fields={[
        { name: 'kind', label: t.kind, type: 'select', options: Object.entries(t.kinds) },
        { name: 'description', label: t.description },
        { name: 'amount', label: t.amount, type: 'amount' },
      ]}
      preview={async (values, signal) =>
        values.amount
          ? { shown: <NextEffect of={await previewPrice(id, { extra: extraOf(values) }, signal)} /> }
          : { shown: t.enterAmount, isIncomplete: true }
      }
      run={async (values, key) => {
        await ask(ADD_EXTRA, { id, extra: extraOf(values) }, { key });
        return t.extraAdded;
      }}
      done={done}
    />
  );
}

/** The credit of an ended subscription. */
export function OwedCredit({ of: { id, credit_balance }, done }: Of) {
  if (credit_balance === null) return null;
  const amount = formatMoney(credit_balance);
  return (
    <Section
      title={t.owed(amount)}
      fields={['subscription.credit_balance']}
      action={
        <ActionButton
          label={t.markReturned}
          question={t.returnedQuestion(amount)}
          run={async (_, key) => {
            await ask(RETURN_CREDIT, { id }, { key });
            return t.returned;
          }}
          done={done}
        />
      }
    >
      <p>{t.owedHint}</p>
    </Section>
  );
}
