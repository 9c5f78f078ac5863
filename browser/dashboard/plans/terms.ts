/** Plans may have equal names, so their price and period are shown with the name. */
import { formatMoney } from '../../shared/format';
import { t, type Unit } from './texts';

interface Terms {
  name: string;
  amount: number;
  repeat_every: number;
  repeat_unit: Unit;
}

export const planPeriod = ({ repeat_every, repeat_unit }: Omit<Terms, 'name' | 'amount'>): string =>
  t.every(repeat_every, repeat_unit);

/** `Anual · $ 499.000 cada año`, or `Anual × 3 · $ 499.000 cada año` */
export const planLabel = (plan: Terms, quantity = 1): string =>
  `${plan.name}${quantity === 1 ? '' : ` × ${quantity}`} · ${formatMoney(plan.amount)} ${planPeriod(plan)}`;

/** `Anual · $ 499.000 cada año · 7 días de prueba` */
export const planTerms = (plan: Terms & { trial_days: number }, quantity = 1): string =>
  `${planLabel(plan, quantity)} · ${plan.trial_days === 0 ? t.days(0) : t.ofTrial(plan.trial_days)}`;

type Schedule = 'daily' | 'paydays' | readonly number[];

export const scheduleName = (schedule: Schedule): string =>
  typeof schedule === 'string' ? t.schedules[schedule] : t.onDays(schedule.join(', '));

/** The days as typed, such as `1, 3, 7`. The API reports what is not a number. */
export const typedSchedule = (schedule: string, days = ''): Schedule =>
  schedule === 'days'
    ? days
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(Number)
    : (schedule as Schedule);

/** The charge of a subscription to the plan, and the button that starts it. */
export function planOffer(
  plan: Terms & { trial_days: number },
  { quantity, amount }: { quantity: number; amount: number },
): { question: string; button: string } {
  const price = formatMoney(amount);
  const days = plan.trial_days;
  const charged = days === 0 ? t.chargedNow(price) : t.chargedAfterTrial(price);
  const charging = days === 0 ? t.subscribeAndCharge(price) : t.subscribeFor(price);
  return {
    question: `${planTerms(plan, quantity)}. ${amount === 0 ? t.chargedNothing : charged}`,
    button: amount === 0 ? t.subscribeFree : charging,
  };
}
