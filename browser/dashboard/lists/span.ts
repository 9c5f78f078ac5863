/** Two optional ends in one value of the address: `2026-11-01..2026-11-15`. */

import { apiAmount } from '../../shared/api/amounts';
import { formatDay, formatMoney } from '../../shared/format';
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
  return { from: from ? apiAmount(from) : undefined, to: to ? apiAmount(to) : undefined };
};

/** Shows invalid amounts as entered; the API reports them. */
const amountName = (text: string): string => (/^\d+(\.\d{1,2})?$/.test(text) ? formatMoney(Number(text)) : text);

export const joinSpan = ([from = '', to = '']: string[]): string => (from || to ? from + BETWEEN + to : '');

export function spanName(kind: 'days' | 'amounts', value: string): string {
  const { from, to } = spanOf(value);
  const name = (end: string): string => (kind === 'days' ? formatDay(end) : amountName(end));
  if (from && to) return from === to ? name(from) : `${name(from)} – ${name(to)}`;
  return from ? `${t.from.toLowerCase()} ${name(from)}` : `${t.to.toLowerCase()} ${name(to ?? '')}`;
}
