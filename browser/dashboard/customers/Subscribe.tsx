import { useLocation } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { couponField, discountedPrice, usableCoupon } from '../coupons/couponField';
import type { PlanChoice } from '../links/operations';
import { planLabel, planOffer } from '../plans/terms';
import { ActionButton, type Field, type Values } from '../ui/ActionButton';
import { SUBSCRIBE } from './operations';
import { t } from './texts';

interface SubscribeProps {
  customer_id: string;
  plans: readonly PlanChoice[];
  cardField: Field;
}

const countOf = ({ quantity }: Values): number => Number(quantity || 1);

export function Subscribe({ customer_id, plans, cardField }: SubscribeProps) {
  const [, navigate] = useLocation();
  const offer = async (values: Values, signal: AbortSignal) => {
    const { plan_id = '', coupon } = values;
    const plan = required(plans.find(({ id }) => id === plan_id));
    const quantity = countOf(values);
    if (!Number.isInteger(quantity)) return { shown: t.wholeQuantity, isIncomplete: true };
    const discount = coupon ? await usableCoupon(coupon, plan_id, signal) : undefined;
    const { question, button } = planOffer(plan, {
      quantity,
      amount: discountedPrice(plan.amount, quantity, discount),
    });
    return { shown: question, button };
  };
  const subscribe = async (values: Values, key: string) => {
    const { plan_id = '', source_id = '', coupon } = values;
    const subscription = { plan_id, source_id, quantity: countOf(values), ...(coupon && { coupon }) };
    const { createSubscription } = await ask(SUBSCRIBE, { customer_id, subscription }, { key });
    navigate(`/subscriptions/${required(createSubscription).id}`);
    return t.subscribed;
  };
  return (
    <ActionButton
      label={t.subscribe}
      fields={[
        { name: 'plan_id', label: t.plan, type: 'select', options: plans.map(plan => [plan.id, planLabel(plan)]) },
        { name: 'quantity', label: t.quantity, type: 'number', value: 1 },
        cardField,
        { ...couponField({ label: t.optional(t.coupon) }), isOptional: true },
      ]}
      preview={offer}
      run={subscribe}
    />
  );
}
