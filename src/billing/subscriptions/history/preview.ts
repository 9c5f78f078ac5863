/** Shows the effect of a change by the rules that bill. */
import { ApiError } from '../../../platform/errors';
import type { Money } from '../../../platform/money';
import type { Context } from '../../../schema/operation/context';
import { couponChange, extraChange } from '../pricing/adjust';
import { plannedChange, requestedReplacement } from '../pricing/change';
import { clockNow, type SubscriptionRow, stateOf } from '../rows';
import { nextAction, transition } from '../rules/billing';
import { replaced, replacementOf } from '../rules/changes';
import { amountOf, opened } from '../rules/invoices';
import type { BillingState, SubscriptionChange } from '../rules/state';
import { pauseOf } from '../update';
import { rejectChange } from '../writeUpdate';
import { projectCharges } from './history';
import type { PreviewedChange, SubscriptionPreview } from './previewFields';

const PROJECTED_CHARGES = 12;

export async function previewChange(
  context: Context,
  row: SubscriptionRow,
  input: PreviewedChange,
): Promise<SubscriptionPreview> {
  if (Object.values(input).filter(change => change !== undefined && change !== false).length !== 1)
    throw new ApiError('invalid_value', 'not_one_change');
  const { change } = input;
  if (change?.when === 'now') {
    const state = stateOf(row);
    const replacement = replacementOf(state, await requestedReplacement(context, row, change));
    return preview(row, replaced(state, replacement), replacement.credit);
  }
  const changed = await changeOf(context, row, input);
  rejectChange(row, changed);
  return preview(row, transition(stateOf(row), { type: 'change', at: clockNow(row), ...changed }), 0n);
}

function preview(row: SubscriptionRow, after: BillingState, credit: Money): SubscriptionPreview {
  const { due_at, terms, ...state } = after;
  const changed = { ...row, ...state, ...terms, due_at: new Date(due_at) };
  const charges = projectCharges(changed, { periods: PROJECTED_CHARGES });
  return {
    charge_now: chargedNow(row, after),
    credit,
    credit_balance: after.credit_balance,
    next_charge_date: charges[0]?.charge_date ?? null,
    charges,
  };
}

/** A replacement has opened its period; a resumption makes one due. */
function chargedNow(row: SubscriptionRow, after: BillingState): Money {
  const { current_period_number: period } = after;
  if (period > row.current_period_number) return amountOf(after, period);
  const next = nextAction(after);
  const isDue = next.do === 'charge' && row.is_paused && !after.is_paused && next.at <= clockNow(row);
  return isDue ? amountOf(opened(after, next.attempt.period), next.attempt.period) : 0n;
}

async function changeOf(context: Context, row: SubscriptionRow, input: PreviewedChange): Promise<SubscriptionChange> {
  const { pause, change, coupon, extra } = input;
  if (pause) return { pause: pauseOf(row, pause) };
  if (change) return plannedChange(context, row, change);
  if (coupon) return couponChange(context, row, coupon);
  if (extra) return extraChange('preview', extra);
  return { resume: 'preview' };
}
