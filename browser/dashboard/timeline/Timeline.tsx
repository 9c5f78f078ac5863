/** The timeline of a subscription: its history and the projection of the next year. */
import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { formatDay } from '../../shared/format';
import { Button } from '../../shared/ui/Button';
import { useNarrow, useWidth } from './hooks';
import { Legend } from './Legend';
import { TimelineDrawing } from './TimelineDrawing';
import { TimelineTable } from './TimelineTable';
import { sentenceOf, t } from './texts';
import { asPlanned, isCharge, itemsOf, periodsOf, type TimelineData, type TimelineItem } from './timelineData';

interface TimelineProps {
  timeline: TimelineData;
  /** Later entries are not revealed yet. */
  revealedUntil: number;
  /** Simulates declines from this day on; undefined ends the simulation. */
  simulateDeclines: (day: string | undefined) => void;
  /** Sandbox only. */
  clock?: { target: string | undefined; choose: (day: string | undefined) => void } | undefined;
  /** Loads the earlier entries, if some were omitted. */
  showAll?: (() => void) | undefined;
}

export function Timeline({ timeline, revealedUntil, simulateDeclines, clock, showAll }: TimelineProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const isVertical = useNarrow();
  const [selected, setSelected] = useState<string | undefined>();
  const items = itemsOf(timeline);
  const isHidden = ({ isPlanned, at }: TimelineItem): boolean => !isPlanned && at > revealedUntil;
  const periods = periodsOf(
    items.map(item => (isHidden(item) ? asPlanned(item) : item)),
    timeline,
  );
  const current = items.find(({ key }) => key === selected);
  const act = (item: TimelineItem): void => {
    if (item.charge) simulateDeclines(item.day === timeline.declinedFrom ? undefined : item.day);
  };

  return (
    <>
      {showAll && (
        <Button type="button" onClick={showAll}>
          {t.everything}
        </Button>
      )}
      <div class="timeline-frame">
        {!isVertical && <LaneNames />}
        <div class="timeline-box" ref={box}>
          {width > 0 && (
            <TimelineDrawing
              timeline={timeline}
              items={items}
              periods={periods}
              frame={{ isVertical, width }}
              selected={selected}
              select={({ key }) => setSelected(key)}
              act={act}
              isHidden={isHidden}
              clock={clock}
            />
          )}
        </div>
      </div>
      <div class="timeline-texts">
        <div class="timeline-selected">
          {current && !isHidden(current) ? (
            <SelectedItem of={current} act={act} declinedFrom={timeline.declinedFrom} />
          ) : (
            <p class="hint">{t.how}</p>
          )}
        </div>
        <SimulatedDeclines timeline={timeline} items={items} undo={() => simulateDeclines(undefined)} />
      </div>
      <Legend items={items} />
      <TimelineTable items={items.filter(item => !isHidden(item))} />
    </>
  );
}

const LaneNames = () => (
  <div class="lane-names" aria-hidden="true">
    <span>{t.lanes.period}</span>
    <span>{t.lanes.charge}</span>
    <span>{t.lanes.email}</span>
    <span>{t.lanes.other}</span>
  </div>
);

/** The description of the selected entry, and its actions. */
function SelectedItem({
  of: item,
  act,
  declinedFrom,
}: {
  of: TimelineItem;
  act: (item: TimelineItem) => void;
  declinedFrom: string | undefined;
}) {
  const { day, entry, charge } = item;
  return (
    <>
      <p>
        <strong>{formatDay(day)}</strong> {sentenceOf(item)}
      </p>
      {entry?.transaction_id && <Link href={`/charges/${entry.transaction_id}`}>{t.toCharge}</Link>}
      {charge && day !== declinedFrom && (
        <Button type="button" onClick={() => act(item)}>
          {t.declineFrom}
        </Button>
      )}
    </>
  );
}

function SimulatedDeclines({
  timeline: { declinedFrom, endsWithRetries },
  items,
  undo,
}: {
  timeline: TimelineData;
  items: readonly TimelineItem[];
  undo: () => void;
}) {
  const tries = items.filter(item => isCharge(item) && item.mark === 'would-decline').length;
  return (
    <div class="timeline-simulated" role="status">
      {declinedFrom && (
        <>
          <p>{t.simulated(formatDay(declinedFrom), tries, endsWithRetries ? t.after.cancelled : t.after.unpaid)}</p>
          <Button type="button" onClick={undo}>
            {t.undoDecline}
          </Button>
        </>
      )}
    </div>
  );
}
