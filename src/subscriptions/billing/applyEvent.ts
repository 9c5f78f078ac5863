/** What a happening makes of a row: the row after it, the lines of its history, and the events that tell of it. */
import { step } from '../../../workflows/billing';
import type { Moment } from '../../../workflows/calendar';
import type { Happening, Reason, Status } from '../../../workflows/state';
import { nextChangeId } from '../../database/changeId';
import { event, type NewEvent } from '../../events/newEvent';
import { rendererOf } from '../../schema/render';
import { Subscription } from '../fields';
import { clockNow, type SubscriptionRow, stateOf } from '../rows';
import { shownSubscription } from '../view';

export type LineEvent =
  | 'created'
  | 'charged'
  | 'declined'
  | 'unanswered'
  | 'not_made'
  | 'unpaid'
  | 'card_changed'
  | 'cancel_scheduled'
  | 'cancel_unscheduled'
  | 'trial_changed'
  | Reason;

export interface Line {
  event: LineEvent;
  date: Date;
  period?: number | null;
  transaction_id?: string | null;
  error_code?: number | null;
  day?: string | null;
}

export interface Changed {
  /** Two may come with a change of the same row at once; the first is told so by its changeId. */
  changeId: number;
  before: SubscriptionRow;
  after: SubscriptionRow;
  lines: Line[];
  events: NewEvent[];
  /** The workflow is told to look again. */
  nudge: boolean;
}

/** What else is known of it, and not for the rules to decide. */
export interface More {
  /** Of the row after it. */
  row?: Partial<SubscriptionRow>;
  error_code?: number | null;
  nudge?: boolean;
}

const announced: Partial<Record<Status, string>> = {
  active: 'subscription.activated',
  past_due: 'subscription.past_due',
  unpaid: 'subscription.unpaid',
  cancelled: 'subscription.cancelled',
};

const render = rendererOf(Subscription);
export const subscriptionEvent = (type: string, row: SubscriptionRow): NewEvent =>
  event(type, render, shownSubscription(row));

export function changedBy(row: SubscriptionRow, happening: Happening, more: More = {}): Changed {
  const { due_at, ...state } = step(stateOf(row), happening);
  const after: SubscriptionRow = { ...row, ...state, due_at: new Date(due_at), ...more.row };
  const at = 'at' in happening ? happening.at : clockNow(after);
  return {
    changeId: nextChangeId(),
    before: row,
    after,
    lines: linesOf(row, after, happening, at, more.error_code),
    events: [
      ...(row.status === 'new' && after.status !== 'new' ? ['subscription.created'] : []),
      row.status === after.status ? undefined : announced[after.status],
    ]
      .filter(type => type !== undefined)
      .map(type => subscriptionEvent(type, after)),
    nudge: more.nudge ?? false,
  };
}

function linesOf(
  before: SubscriptionRow,
  after: SubscriptionRow,
  happening: Happening,
  at: Moment,
  error_code: number | null = null,
): Line[] {
  const date = new Date(at);
  const { period = null, transaction_id = null } = before.open ?? {};
  const ended: Line[] = after.status === before.status || !after.reason ? [] : [{ event: after.reason, date }];
  switch (happening.type) {
    case 'prepared':
      return [];
    case 'unanswered':
      return before.open?.tries === 0 ? [{ event: 'unanswered', date, period, transaction_id }] : [];
    case 'answered': {
      const event = ({ paid: 'charged', declined: 'declined', not_made: 'not_made' } as const)[happening.outcome];
      const unpaid: Line[] = after.status === 'unpaid' && before.status !== 'unpaid' ? [{ event: 'unpaid', date }] : [];
      return [{ event, date, period, transaction_id, error_code }, ...unpaid, ...ended];
    }
    case 'cancel':
      return ended;
    case 'change':
      return [
        ...(happening.card_id === undefined ? [] : [{ event: 'card_changed', date } as const]),
        ...(happening.trial_end_date === undefined
          ? []
          : [{ event: 'trial_changed', date, day: happening.trial_end_date } as const]),
        ...(after.cancel_at_period_end === before.cancel_at_period_end
          ? []
          : [{ event: after.cancel_at_period_end ? 'cancel_scheduled' : 'cancel_unscheduled', date } as const]),
      ];
  }
}
