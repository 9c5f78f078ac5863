/** Shows the effect of a change by the rules that bill. */
import { ApiError } from '../../../platform/errors';
import { clockNow, type SubscriptionRow, stateOf } from '../rows';
import { transition } from '../rules/billing';
import type { SubscriptionChange } from '../rules/state';
import { pauseOf, rejectChange } from '../update';
import { projectCharges } from './history';
import type { PreviewedChange, SubscriptionPreview } from './previewFields';

const PROJECTED_CHARGES = 12;

export function previewChange(row: SubscriptionRow, input: PreviewedChange): SubscriptionPreview {
  const change = changeOf(row, input);
  rejectChange(row, change);
  const at = clockNow(row);
  const { due_at, ...state } = transition(stateOf(row), { type: 'change', at, ...change });
  const after = { ...row, ...state, due_at: new Date(due_at) };
  const charges = projectCharges(after, { periods: PROJECTED_CHARGES });
  const isNow = change.resume !== undefined && due_at <= at;
  return {
    charge_now: isNow ? row.amount : 0n,
    next_charge_date: charges[0]?.charge_date ?? null,
    charges,
  };
}

function changeOf(row: SubscriptionRow, { pause, resume }: PreviewedChange): SubscriptionChange {
  if ((pause === undefined) === !resume) throw new ApiError('invalid_value', 'not_one_change');
  return pause ? { pause: pauseOf(row, pause) } : { resume: 'preview' };
}
