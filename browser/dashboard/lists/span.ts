/** Two ends in one value of the address, each of which may be absent: `2026-11-01..2026-11-15`. */
import { formatDay, formatMoney } from '../format';
import { t } from './texts';

const BETWEEN = '..';

interface Span {
  from?: string | undefined;
  to?: string | undefined;
}

export function spanOf(value = ''): Span {
  const [from, to] = value.split(BETWEEN);
  return { from: from || undefined, to: to || undefined };
}

export const amountsOf = (value?: string): { from?: number | undefined; to?: number | undefined } => {
  const { from, to } = spanOf(value);
  return { from: from === undefined ? undefined : Number(from), to: to === undefined ? undefined : Number(to) };
};

export const joinSpan = ([from = '', to = '']: string[]): string => (from || to ? from + BETWEEN + to : '');

export function spanName(kind: 'days' | 'amounts', value: string): string {
  const { from, to } = spanOf(value);
  const name = (end: string): string => (kind === 'days' ? formatDay(end) : formatMoney(Number(end)));
  if (from && to) return from === to ? name(from) : `${name(from)} – ${name(to)}`;
  return from ? `${t.from.toLowerCase()} ${name(from)}` : `${t.to.toLowerCase()} ${name(to ?? '')}`;
}
