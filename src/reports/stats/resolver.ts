import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { addDays, type Day, dayOf } from '../../../workflows/calendar';
import { timeOf } from '../../platform/database/clock';
import { readByIndex } from '../../platform/database/connection';
import { ApiError, ERRORS } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { Complexity } from '../../schema/operation/guard';
import { dayBounds } from '../../schema/time';
import { type DayStats, type DeclineStats, type RecoveryStats, Stats, StatsArgs } from './fields';
import { type ChargeCount, countCharges, countRecovered, countRenewals, type RecoveredCount, type Span } from './rows';
import { countSubscriptions } from './subscriptions/rows';
import { projectUpcomingCharges } from './upcoming/upcoming';

const DEFAULT_PERIOD_DAYS = 30;
const MAX_PERIOD_DAYS = 366;

@Resolver()
export class StatsResolver {
  @Complexity(5000)
  @Query(() => Stats, { description: 'Statistics of subscriptions and charges from one snapshot' })
  async stats(@Ctx() context: Context, @Args(() => StatsArgs) args: StatsArgs): Promise<Stats> {
    const { db, merchant_id } = context;
    const now = (await timeOf(context, null)).getTime();
    const today = dayOf(now);
    const to = args.to ?? today;
    const from = args.from ?? addDays(to, 1 - DEFAULT_PERIOD_DAYS);
    const days = daysFrom(from, to, MAX_PERIOD_DAYS);
    const span = { merchant_id, ...boundsOf(from, to) };
    const upcomingDays = daysFrom(today, addDays(today, args.upcoming_days - 1), args.upcoming_days);
    return db.$transaction(
      async tx => {
        await readByIndex(tx);
        const { total, plans } = await countSubscriptions(tx, span, today);
        const { mrr, new_subscriptions, lost_subscriptions, ...subscriptions } = total;
        const charges = await countCharges(tx, span);
        const renewals_today = await countRenewals(tx, { merchant_id, ...boundsOf(today, today) });
        return {
          from,
          to,
          currency: 'COP' as const,
          subscriptions,
          mrr,
          new_subscriptions,
          lost_subscriptions,
          plans,
          renewals: recoveryOf(await countRecovered(tx, span)),
          renewed_today: renewals_today.paid + renewals_today.first_charges,
          renewals_today,
          days: byDay(days, charges),
          declines: byReason(charges),
          upcoming: await projectUpcomingCharges(tx, merchant_id, now, upcomingDays),
        };
      },
      { isolationLevel: 'RepeatableRead' },
    );
  }
}

function boundsOf(from: Day, to: Day): Omit<Span, 'merchant_id'> {
  const [since, until] = [dayBounds(from)?.from, dayBounds(to)?.until];
  if (!since || !until) throw new Error(`${from} and ${to} were checked`);
  return { since, until };
}

function daysFrom(from: Day, to: Day, max: number): Day[] {
  if (from > to) throw new ApiError('invalid_value', 'after_last_day', { field: 'from', to });
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (days.length === max) throw new ApiError('invalid_value', 'too_many_days_before', { field: 'from', max, to });
    days.push(day);
  }
  return days;
}

function recoveryOf([total, ...ways]: readonly RecoveredCount[]): RecoveryStats {
  const { periods: declined = 0, recovered = 0, amount = 0n, median_hours = null, average_hours = null } = total ?? {};
  const rate = (count: number): number => Math.round((count * 100) / declined);
  return {
    declined,
    recovered,
    recovery_rate: declined === 0 ? null : rate(recovered),
    recovered_amount: amount,
    median_hours,
    average_hours,
    ways: ways.flatMap(({ way, recovered: count, amount: recovered_amount, median_hours: hours }) =>
      way === null
        ? []
        : [{ way, recovered: count, recovered_amount, recovery_rate: rate(count), median_hours: hours }],
    ),
  };
}

function byDay(days: readonly Day[], counts: readonly ChargeCount[]): DayStats[] {
  const stats = new Map(days.map(day => [day, { day, paid: 0, volume: 0n, failed: 0 }]));
  for (const { day, error_code, charges, amount } of counts) {
    const dayStats = stats.get(day);
    if (!dayStats) continue;
    if (error_code === null) Object.assign(dayStats, { paid: charges, volume: amount });
    else dayStats.failed += charges;
  }
  return [...stats.values()];
}

function byReason(counts: readonly ChargeCount[]): DeclineStats[] {
  const failed = new Map<number, number>();
  for (const { error_code, charges } of counts)
    if (error_code !== null) failed.set(error_code, (failed.get(error_code) ?? 0) + charges);
  return [...failed]
    .map(([error_code, count]) => ({ error_code, description: descriptionOf(error_code), failed: count }))
    .sort((a, b) => b.failed - a.failed || a.error_code - b.error_code);
}

const descriptionOf = (error_code: number): string => ERRORS.find(({ code }) => code === error_code)?.text ?? '';
