/** The timeline of a subscription: its history and the projection of the next year. */
import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { formatDay } from '../../shared/format';
import { Button } from '../../shared/ui/Button';
import { useNarrow, useWidth } from './hooks';
import { Legend } from './Legend';
import { LifeDrawing } from './LifeDrawing';
import { LifeTable } from './LifeTable';
import { asPlanned, type Happening, happeningsOf, isCharge, type Life, periodsOf } from './life';
import { sentenceOf, t } from './texts';

interface LifeLineProps {
  life: Life;
  /** Later entries are not revealed yet. */
  fallenUntil: number;
  /** Simulates declines from this day on; undefined ends the simulation. */
  assume: (day: string | undefined) => void;
  /** Sandbox only. */
  clock?: { target: string | undefined; choose: (day: string | undefined) => void } | undefined;
  /** Loads the earlier entries, if some were omitted. */
  showAll?: (() => void) | undefined;
}

export function LifeLine({ life, fallenUntil, assume, clock, showAll }: LifeLineProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const isUpright = useNarrow();
  const [selected, setSelected] = useState<string | undefined>();
  const happenings = happeningsOf(life);
  const isFalling = ({ isPlanned, at }: Happening): boolean => !isPlanned && at > fallenUntil;
  const periods = periodsOf(
    happenings.map(happening => (isFalling(happening) ? asPlanned(happening) : happening)),
    life,
  );
  const current = happenings.find(({ key }) => key === selected);
  const act = (happening: Happening): void => {
    if (happening.charge) assume(happening.day === life.declinedFrom ? undefined : happening.day);
  };

  return (
    <>
      {showAll && (
        <Button type="button" onClick={showAll}>
          {t.everything}
        </Button>
      )}
      <div class="life-frame">
        {!isUpright && <LaneNames />}
        <div class="life-box" ref={box}>
          {width > 0 && (
            <LifeDrawing
              life={life}
              happenings={happenings}
              periods={periods}
              frame={{ isUpright, width }}
              selected={selected}
              select={({ key }) => setSelected(key)}
              act={act}
              isFalling={isFalling}
              clock={clock}
            />
          )}
        </div>
      </div>
      <div class="life-words">
        <div class="life-said">
          {current && !isFalling(current) ? (
            <Said of={current} act={act} declinedFrom={life.declinedFrom} />
          ) : (
            <p class="hint">{t.how}</p>
          )}
        </div>
        <Assumed life={life} happenings={happenings} undo={() => assume(undefined)} />
      </div>
      <Legend />
      <LifeTable happenings={happenings.filter(happening => !isFalling(happening))} />
    </>
  );
}

const LaneNames = () => (
  <div class="lane-names" aria-hidden="true">
    <span>{t.lanes.period}</span>
    <span>{t.lanes.charge}</span>
    <span>{t.lanes.letter}</span>
    <span>{t.lanes.other}</span>
  </div>
);

/** The description of the selected entry, and its actions. */
function Said({
  of: happening,
  act,
  declinedFrom,
}: {
  of: Happening;
  act: (happening: Happening) => void;
  declinedFrom: string | undefined;
}) {
  const { day, entry, charge } = happening;
  return (
    <>
      <p>
        <strong>{formatDay(day)}</strong> {sentenceOf(happening)}
      </p>
      {entry?.transaction_id && <Link href={`/charges/${entry.transaction_id}`}>{t.toCharge}</Link>}
      {charge && day !== declinedFrom && (
        <Button type="button" onClick={() => act(happening)}>
          {t.declineFrom}
        </Button>
      )}
    </>
  );
}

function Assumed({
  life: { declinedFrom, endsWithRetries },
  happenings,
  undo,
}: {
  life: Life;
  happenings: readonly Happening[];
  undo: () => void;
}) {
  const tries = happenings.filter(happening => isCharge(happening) && happening.sign === 'would-decline').length;
  return (
    <div class="life-assumed" role="status">
      {declinedFrom && (
        <>
          <p>{t.assumed(formatDay(declinedFrom), tries, endsWithRetries ? t.after.cancelled : t.after.unpaid)}</p>
          <Button type="button" onClick={undo}>
            {t.undoDecline}
          </Button>
        </>
      )}
    </div>
  );
}
