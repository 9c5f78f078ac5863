/** Changes plan and quantity, now or at the period end, with what is charged shown before. */
import { ask } from '../../shared/api/ask';
import { formatDay, formatMoney } from '../../shared/format';
import { couponField } from '../coupons/couponField';
import { planLabel } from '../plans/terms';
import type { Priced } from '../subscriptions/subscription';
import { ActionButton, type Values } from '../ui/ActionButton';
import { ChangeEffect, NextEffect } from './effects';
import { CHANGE, previewPrice, type RequestedChange } from './operations';
import { t } from './texts';

const changeOf = ({ plan_id = '', quantity, when, credit, coupon }: Values): RequestedChange => ({
  plan_id,
  ...(quantity && { quantity: Number(quantity) }),
  when: when === 'now' ? 'now' : 'period_end',
  ...(when === 'now' && { credit: credit === 'true' }),
  ...(coupon && { coupon }),
});

export function ChangePlan({ of, plans, done }: Priced & { done: () => void }) {
  const { id, plan, quantity, status, charge_date } = of;
  if (status === 'cancelled' || status === 'unpaid') return null;
  const { period_end, now } = t.whens(formatDay(charge_date));
  const others = plans.filter(other => other.id !== plan.id);

  const preview = async (values: Values, signal: AbortSignal) => {
    const change = changeOf(values);
    if (change.quantity && !Number.isInteger(change.quantity)) return { shown: t.wholeQuantity, isIncomplete: true };
    const isSame = change.plan_id === plan.id && (change.quantity ?? quantity) === quantity;
    if (isSame && !change.coupon) return { shown: t.unchanged, isIncomplete: true };
    const effect = await previewPrice(id, { change }, signal);
    if (change.when !== 'now') return { shown: <NextEffect of={effect} />, button: t.schedule };
    const { charge_now } = effect;
    return {
      shown: <ChangeEffect of={effect} />,
      button: charge_now > 0 ? t.changeAndCharge(formatMoney(charge_now)) : t.changeNow,
    };
  };
  return (
    <ActionButton
      label={t.change}
      fields={[
        {
          name: 'plan_id',
          label: t.plan,
          type: 'select',
          options: [plan, ...others].map(plan => [plan.id, planLabel(plan)] as const),
        },
        { name: 'quantity', label: t.quantity, type: 'number', value: quantity },
        {
          name: 'when',
          label: t.when,
          type: 'select',
          options: [['period_end', period_end], ...(status === 'past_due' ? [] : [['now', now] as const])],
        },
        { name: 'credit', label: t.credits, type: 'checkbox', value: true, onlyWith: ['when', 'now'] },
        { ...couponField({ label: t.optionalCoupon }), isOptional: true },
      ]}
      preview={preview}
      run={async (values, key) => {
        await ask(CHANGE, { id, change: changeOf(values) }, { key });
        return values.when === 'now' ? t.changed : t.scheduled;
      }}
      done={done}
    />
  );
}
