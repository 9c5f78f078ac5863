/** Moves the test clock to a date. This cannot be undone, so it needs a confirmation. */
import { formatDay, formatMoment } from '../../shared/format';
import { Button } from '../../shared/ui/Button';
import { ProblemNote } from '../../shared/ui/States';
import { canWrite } from '../shell/session';
import { bogotaDayOf, endOfDay } from './days';
import { t } from './texts';
import type { TimelineData } from './timelineData';
import type { ClockMove } from './useClockMove';

const DAY_MS = 86_400_000;

interface ClockBarProps {
  timeline: TimelineData;
  target: string | undefined;
  choose: (day: string | undefined) => void;
  clock: ClockMove;
}

export function ClockBar({ timeline: { now, projection }, target, choose, clock }: ClockBarProps) {
  if (!canWrite()) return null;
  const tomorrow = bogotaDayOf(now + DAY_MS);
  const isAhead = target !== undefined && target >= tomorrow;
  const passing = projection.filter(({ charge_date }) => target && charge_date <= target).length;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!target || !isAhead) return;
    choose(undefined);
    void clock.move(target);
  };
  return (
    <form class="clock-bar" onSubmit={submit} aria-label={t.clock}>
      <div class="field">
        <label for="clock-day">
          {t.clock}: {t.until}
        </label>
        <input
          id="clock-day"
          type="date"
          min={tomorrow}
          value={target ?? ''}
          aria-describedby="clock-hint"
          onInput={({ currentTarget }) => choose(currentTarget.value || undefined)}
        />
      </div>
      <Button kind="primary" disabled={!isAhead} isBusy={clock.moving !== undefined}>
        {isAhead ? t.move(formatDay(target)) : t.chooseDay}
      </Button>
      {isAhead && (
        <Button type="button" onClick={() => choose(undefined)}>
          {t.back}
        </Button>
      )}
      <p id="clock-hint" class="hint">
        {isAhead && endOfDay(target) > now
          ? t.passes(passing)
          : `${t.clockNow(formatMoment(new Date(now).toISOString()))} ${t.clockHint}`}
      </p>
      <p role="status" class="clock-state">
        {clock.moving && t.moving(formatDay(clock.moving))}
        {clock.moving && clock.waitingFor && ` ${t.waiting} ${clock.waitingFor}`}
        {clock.moved && t.moved(formatDay(clock.moved))}
      </p>
      {clock.problem && <ProblemNote problem={clock.problem} />}
    </form>
  );
}
