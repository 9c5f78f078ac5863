/** Today’s figures and pending issues, in one request. */
import { useEffect, useState } from 'preact/hooks';
import { dayOf } from '../../shared/format';
import { load, save } from '../../shared/storage';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { NewPaymentLink } from '../links/NewLink';
import { canWrite, session } from '../shell/session';
import { Balance } from './Balance';
import { Figures } from './Figures';
import { findIssues } from './findIssues';
import { Issues } from './Issues';
import { TODAY, TODAY_TO_READ, type TodayData } from './query';
import { Declines, Recovery, Revenue, Upcoming } from './Trends';
import { t } from './texts';
import { useNewDay } from './useNewDay';

/** Minimum interval between reloads. */
const SETTLE_MS = 2000;
const AHEAD_DAYS = 31;
const PERIODS = [7, 30, 90];
const STORED_PERIOD = 'recaudo.today.days';

const addDays = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000));

export function Today() {
  // The test clock of the merchant may differ from real time, so the response has the day.
  const [day, setDay] = useState(dayOf(new Date()));
  const [period, setPeriod] = useState(load(STORED_PERIOD, 30));
  const isSandbox = session.value?.environment === 'sandbox';
  const today = useQuery<TodayData, { from: string; soon: string; isSandbox: boolean }>(
    canWrite() ? TODAY : TODAY_TO_READ,
    { from: addDays(day, 1 - period), soon: addDays(day, AHEAD_DAYS), isSandbox },
    // Null without a request for production access.
    { refreshOn: () => true, settleMs: SETTLE_MS, optionalFields: ['liveRequest'] },
  );
  useNewDay(today.refresh);
  const known = today.data?.stats?.to;
  useEffect(() => {
    if (known) setDay(known);
  }, [known]);
  return (
    <>
      <PageHead title={t.title} action={<NewPaymentLink />}>
        <select
          aria-label={t.period}
          value={period}
          onChange={({ currentTarget }) => {
            const chosen = Number(currentTarget.value);
            save(STORED_PERIOD, chosen);
            setPeriod(chosen);
          }}
        >
          {PERIODS.map(days => (
            <option key={days} value={days}>
              {t.lastDaysName(days)}
            </option>
          ))}
        </select>
      </PageHead>
      <Shown of={today} lines={8}>
        {data =>
          data.stats && (
            <>
              <Figures stats={data.stats} />
              <Balance of={data} />
              <Issues issues={findIssues(data, Date.now())} />
              <div class="columns">
                <Recovery stats={data.stats} />
                <Declines stats={data.stats} />
                <Upcoming stats={data.stats} />
                <Revenue stats={data.stats} />
              </div>
            </>
          )
        }
      </Shown>
    </>
  );
}
