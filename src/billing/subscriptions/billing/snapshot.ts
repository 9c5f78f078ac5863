/** A subscription's row as its workflow sees it. */
import { nextAction } from '../../../../workflows/billing';
import { DAY_MS } from '../../../../workflows/calendar';
import type { NextAction } from '../../../../workflows/state';
import type { SubscriptionAction, SubscriptionSnapshot } from '../../../../workflows/subscriptionContract';
import { clockNow, type HistoryLine, realNow, type SubscriptionRow, stateOf } from '../rows';
import { describeNextAction, describePause, describePauseEnd } from '../wording';
import { momentInWords, operatorView } from './operatorView';

/** Decided once for every row that is read or written, and passed on. */
export const nextActionOf = (row: SubscriptionRow): NextAction => nextAction(stateOf(row));

/** Between two looks at a row that a nudge is to wake: so seldom that it costs nothing. */
const PAUSE_MS = 365 * DAY_MS;

/**
 * Whether it waits for its merchant to be resumed, or its billing to be released. An open attempt is finished and an end
 * that was asked for comes on its day, but nothing is charged, and nobody is cancelled for not having paid. A hold is for
 * what is billed by itself: what the merchant asks for is tried.
 */
export function isHeld({ suspension, hold }: SubscriptionRow, next: NextAction): boolean {
  if (next.do === 'charge') return suspension !== null || (hold !== null && !next.attempt.free);
  return (suspension !== null || hold !== null) && next.do === 'cancel' && next.reason === 'left_unpaid';
}

export function snapshotOf(
  row: SubscriptionRow,
  next: NextAction = nextActionOf(row),
  lines: HistoryLine[] = [],
  recent?: HistoryLine[],
): SubscriptionSnapshot {
  const isOver = next.do === 'nothing' && !row.clock_to;
  const at = next.do === 'nothing' ? 0 : next.at;
  const due = next.do === 'resolve' ? at : row.clock_to || next.do === 'nothing' ? 0 : at - row.offset * 1000;
  const isPaused = isHeld(row, next) && !row.clock_to && due <= realNow(row);
  const isShownHeld = isPaused || (isHeld(row, next) && (row.suspension !== null || row.hold?.everything === false));
  const next_charge_at = isChargeAhead(row, next)
    ? Math.max(next.do === 'charge' ? at : 0, row.due_at.getTime())
    : null;
  const circumstances = { isHeld: isShownHeld, isDue: isDue(row, next), next_charge_at };
  return {
    ...operatorView(row, next, circumstances, lines, recent),
    status: row.status,
    current_period_number: row.current_period_number,
    action: actionOf(next, row),
    next: isShownHeld ? describePause(row, next) : describeNextAction(row, next),
    wake_at: isPaused ? realNow(row) + PAUSE_MS : Math.max(0, due),
    until: isPaused
      ? describePauseEnd(row)
      : momentInWords(next.do === 'resolve' ? at + row.offset * 1000 : Math.max(at, clockNow(row)), row),
    next_charge_at,
    over: isOver ? next.reason : null,
  };
}

/**
 * An attempt without an answer is still ahead, and overdue since it was due: that is how operators find what an outage
 * holds up. Of an unpaid subscription `due_at` is no charge but its end.
 */
const isChargeAhead = ({ status }: SubscriptionRow, next: NextAction): boolean =>
  next.do === 'charge' || (next.do === 'resolve' && status !== 'cancelled' && status !== 'unpaid');

/** An acquirer that gave no answer is asked again in real time, whatever a test clock says. */
export function isDue(row: SubscriptionRow, next: NextAction): boolean {
  if (next.do === 'nothing' || isHeld(row, next)) return false;
  if (next.do === 'resolve') return next.at <= realNow(row);
  return next.at <= (row.clock_to?.getTime() ?? clockNow(row));
}

function actionOf(next: NextAction, row: SubscriptionRow): SubscriptionAction {
  if (next.do === 'nothing') return 'catchUp';
  if (next.do === 'resolve') return 'askAcquirer';
  // A test clock is being moved, and nothing is due on the rest of its way.
  if ((row.clock_to && !isDue(row, next)) || isHeld(row, next)) return 'catchUp';
  if (next.do === 'cancel') return 'cancel';
  return row.status === 'past_due' || row.status === 'unpaid' ? 'retry' : 'charge';
}

/** For a subscription whose first charge is still under way in the request that creates it. */
export const INVISIBLE_SNAPSHOT: SubscriptionSnapshot = {
  status: 'new',
  current_period_number: 0,
  action: 'catchUp',
  next: 'nothing, it has not begun',
  wake_at: 0,
  until: '',
  next_charge_at: null,
  over: 'not_begun',
  lines: [],
  billing_state: 'sleeping',
  retries_left: null,
  overdue_since: null,
  remarks: [],
};
