import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatAgo, formatDay, formatMoment, formatMoney, formatWhole } from '../format';

const MINUTE_MS = 60_000;

export const Money = ({ amount }: { amount: number }) => (
  <span class="money">
    {formatMoney(amount)} <small>COP</small>
  </span>
);

/** Shows recent moments by their age, and the full date as a tooltip. */
export function Moment({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={formatWhole(at)}>
      {formatAgo(at, now) ?? formatMoment(at)}
    </time>
  );
}

export const Day = ({ on }: { on: string }) => <time dateTime={on}>{formatDay(on)}</time>;

export const Whole = ({ children }: { children: ComponentChildren }) => <span class="whole">{children}</span>;
