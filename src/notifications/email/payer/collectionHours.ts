/**
 * The hours in which e-mails may demand an unpaid amount (Law 2300 of 2023): Monday to Friday from 7:00 to 19:00, Saturday from
 * 8:00 to 15:00, never on Sundays and public holidays, and at most once a day.
 */
import { addDays, type Day, dayOf, type Moment, startOfDay } from '../../../../workflows/calendar';
import type { SubscriptionRow } from '../../../billing/subscriptions/rows';
import { holidaysOf } from '../../../billing/subscriptions/rules/paydays';
import type { Database } from '../../../platform/database/connection';
import type { SubscriptionEmailKind } from './words';

const HOUR_MS = 3_600_000;
const [SUNDAY, SATURDAY] = [0, 6];

/** First and last hour; undefined on days without collection. */
function hoursOn(day: Day): readonly [from: number, until: number] | undefined {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === SUNDAY || holidaysOf(Number(day.slice(0, 4))).has(day)) return undefined;
  return weekday === SATURDAY ? [8, 15] : [7, 19];
}

/** The first allowed moment at this time or after it. */
export function nextCollectionTime(at: Moment): Moment {
  for (let day = dayOf(at); ; day = addDays(day, 1)) {
    const hours = hoursOn(day);
    if (!hours) continue;
    const [from, until] = hours.map(hour => startOfDay(day) + hour * HOUR_MS) as [number, number];
    if (at < until) return Math.max(at, from);
  }
}

/** The moment at which an e-mail to the payer of this subscription may be sent; undefined for now. */
export async function claimCollectionTime(
  db: Database,
  { id: subscription_id, customer_id, current_period_number: period }: SubscriptionRow,
  kind: SubscriptionEmailKind,
  now: Moment,
): Promise<Moment | undefined> {
  const allowed = nextCollectionTime(now);
  if (allowed > now) return allowed;
  const day = dayOf(now);
  await db.collectionEmail.createMany({
    data: { customer_id, day, subscription_id, kind, period },
    skipDuplicates: true,
  });
  const claimed = await db.collectionEmail.findUniqueOrThrow({ where: { customer_id_day: { customer_id, day } } });
  const isOwn = claimed.subscription_id === subscription_id && claimed.kind === kind && claimed.period === period;
  return isOwn ? undefined : nextCollectionTime(startOfDay(addDays(day, 1)));
}
