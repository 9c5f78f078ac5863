/** Colombian formats of money and dates. Days are in Bogotá time. */
import { language } from './language';

const ZONE = 'America/Bogota';
const locale = language === 'es' ? 'es-CO' : 'en-GB';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** `$ 49.900`; decimals only if not zero. */
export function formatMoney(amount: number): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const figures = Math.abs(amount).toLocaleString('es-CO', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${amount < 0 ? '− ' : ''}$ ${figures}`;
}

/** Rounds a sum of floating-point amounts to centavos. */
export const toCentavos = (amount: number): number => Math.round(amount * 100) / 100;

export const formatNumber = (number: number): string => number.toLocaleString('es-CO');

/** `96,4 %` */
export const formatPercent = (part: number): string =>
  `${(part * 100).toLocaleString('es-CO', { maximumFractionDigits: 1 })} %`;

const moment = new Intl.DateTimeFormat(locale, {
  timeZone: ZONE,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});
const second = new Intl.DateTimeFormat(locale, {
  timeZone: ZONE,
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const time = new Intl.DateTimeFormat(locale, { timeZone: ZONE, hour: '2-digit', minute: '2-digit', hour12: false });
const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
const dayAndMonth = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat(locale, { timeZone: ZONE, month: 'short' });
const monthAndYear = new Intl.DateTimeFormat(locale, { timeZone: ZONE, month: 'short', year: 'numeric' });
const whole = new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: 'full', timeStyle: 'long' });
const isoDay = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE });

const withoutOf = (text: string): string => text.replaceAll(' de ', ' ').replace(/\./g, '');

/** `15 nov 2026, 19:44` */
export const formatMoment = (at: string | number): string => withoutOf(moment.format(new Date(at)));
/** `15 nov, 19:44:07` */
export const formatSecond = (at: string): string => withoutOf(second.format(new Date(at)));
/** `19:44` */
export const formatTime = (iso: string): string => time.format(new Date(iso));
/** `15 nov 2026`. Returns invalid days, which addresses may contain, unchanged. */
export function formatDay(iso: string): string {
  const at = Date.parse(`${iso.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(at) ? iso : withoutOf(day.format(at));
}
/** `15 nov` */
export const formatShortDay = (iso: string): string => withoutOf(dayAndMonth.format(Date.parse(`${iso}T00:00:00Z`)));
/** `nov`, or `nov 2026` */
export const formatMonth = (at: number, hasYear: boolean): string =>
  withoutOf((hasYear ? monthAndYear : month).format(at));
/** With the time zone, for tooltips and screen readers. */
export const formatWhole = (iso: string): string => whole.format(new Date(iso));
/** The day in Bogotá, as `2026-11-15`. */
export const dayOf = (at: Date | string): string => isoDay.format(new Date(at));

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });

/** `hace 3 min`; undefined after twelve hours. */
export function formatAgo(iso: string, now: number): string | undefined {
  const age = now - Date.parse(iso);
  if (age < -MINUTE_MS || age >= 12 * HOUR_MS) return undefined;
  if (age < MINUTE_MS) return relative.format(0, 'minute') && (language === 'es' ? 'ahora' : 'just now');
  return age < HOUR_MS
    ? relative.format(-Math.floor(age / MINUTE_MS), 'minute')
    : relative.format(-Math.floor(age / HOUR_MS), 'hour');
}
