/** Creates the successor of a plan, with the change of its subscribers shown before. */
import { toApiAmount } from '../../shared/amounts';
import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { formatMoney, formatNumber } from '../../shared/format';
import { Facts } from '../../shared/ui/Facts';
import type { PlanDetails } from '../plans/operations';
import { planPeriod } from '../plans/terms';
import { ActionButton, type Values } from '../ui/ActionButton';
import { PREVIEW_REPLACEMENT, REPLACE_PLAN, type ReplacementTotals, type RequestedReplacement } from './operations';
import { t } from './texts';

const replacementOf = ({ name = '', amount, schedule, close }: Values): RequestedReplacement => ({
  name,
  amount: asEntered(amount),
  schedule: schedule === 'true',
  close: close === 'true',
});

export function ReplacePlan({ plan, done }: { plan: PlanDetails; done: () => void }) {
  const { id } = plan;
  const preview = async (values: Values, signal: AbortSignal) => {
    const replacement = replacementOf(values);
    if (!values.amount) return { shown: t.enterAmount, isIncomplete: true };
    if (replacement.name === plan.name && Number(toApiAmount(values.amount)) === plan.amount)
      return { shown: t.unchanged, isIncomplete: true };
    const answer = await ask(PREVIEW_REPLACEMENT, { id, replacement: { ...replacement, preview: true } }, { signal });
    if (!replacement.schedule) return { shown: t.keepAll, button: t.createSuccessor };
    const totals = required(answer.replacePlan);
    const changing = totals.total - totals.skipped;
    return {
      shown: <Totals of={totals} period={planPeriod(plan)} />,
      button: changing > 0 ? t.changeSubscribers(formatNumber(changing)) : t.createSuccessor,
    };
  };
  return (
    <ActionButton
      label={t.replace}
      question={t.question}
      fields={[
        { name: 'name', label: t.successorName, value: plan.name },
        { name: 'amount', label: t.amount, type: 'amount', value: plan.amount },
        { name: 'schedule', label: t.schedule, type: 'checkbox', value: true },
        ...(plan.status === 'active'
          ? [{ name: 'close', label: t.close, type: 'checkbox', value: true } as const]
          : []),
      ]}
      preview={preview}
      run={async (values, key) => {
        await ask(REPLACE_PLAN, { id, replacement: replacementOf(values) }, { key });
        return t.replaced;
      }}
      done={done}
    />
  );
}

function Totals({ of, period }: { of: ReplacementTotals; period: string }) {
  const { total, skipped, current_amount, new_amount } = of;
  return (
    <>
      <Facts
        of={[
          [t.changing, formatNumber(total - skipped)],
          [t.keeping, skipped > 0 && formatNumber(skipped)],
          [t.now, `${formatMoney(current_amount)} ${period}`],
          [t.afterwards, `${formatMoney(new_amount)} ${period}`],
        ]}
      />
      <small>{t.sumsHint}</small>
    </>
  );
}
