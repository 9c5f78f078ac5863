/** The lines of the next charge, and the planned change that it follows. */
import { ask } from '../../shared/api/ask';
import { formatDay } from '../../shared/format';
import { planLabel } from '../plans/terms';
import type { Priced } from '../subscriptions/subscription';
import { ActionButton } from '../ui/ActionButton';
import { Section } from '../ui/Section';
import { InvoiceLines } from './InvoiceLines';
import { WITHDRAW_CHANGE } from './operations';
import { t } from './texts';

export const pendingPlan = ({ of: { pending_change, plan }, plans }: Priced): string | undefined => {
  if (!pending_change) return undefined;
  const { plan_id, quantity } = pending_change;
  const found = [plan, ...plans].find(({ id }) => id === plan_id);
  return found ? planLabel(found, quantity) : t.deletedPlan;
};

export function NextCharge({ of, plans, done }: Priced & { done: () => void }) {
  const { id, projection, plan, quantity, pending_change: pending, coupon } = of;
  const [next] = projection;
  const to = pendingPlan({ of, plans });
  const changed = pending && next && next.charge_date >= pending.date ? pending.plan_id : plan.id;
  const name = [plan, ...plans].find(({ id }) => id === changed)?.name ?? t.deletedPlan;
  return (
    <Section title={t.next} fields={['subscription.projection', 'subscription.pending_change']}>
      {pending && to && (
        <div class="line callout">
          <span>{t.planned(formatDay(pending.date), to)}</span>
          <ActionButton
            label={t.withdraw}
            question={t.withdrawQuestion(planLabel(plan, quantity))}
            run={async (_, key) => {
              await ask(WITHDRAW_CHANGE, { id }, { key });
              return t.withdrawn;
            }}
            done={done}
          />
        </div>
      )}
      {next ? (
        <InvoiceLines
          invoice={next.invoice}
          plan={name}
          coupon={coupon?.coupon_id === next.invoice?.coupon_id ? coupon?.code : undefined}
          amount={next.amount}
          total={t.on(formatDay(next.charge_date))}
        />
      ) : (
        <p class="hint">{t.noCharges}</p>
      )}
    </Section>
  );
}
