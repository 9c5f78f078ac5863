/**
 * Some of the simulated payers through the whole stack: their cards are scripted with the outcomes that the simulation
 * gave, and each attempt must be made on the day that the rules alone foresaw.
 */
import { groupBy } from '../src/platform/database/batch';
import { addDays, dayOf } from '../workflows/calendar';
import type { BenchEnvironment } from './environment';
import { forEach, openMerchant } from './fleet';
import { countOr } from './measure';
import { startPrograms } from './programs';
import { type CollectedPeriod, chargeDayIn, collect, isShortOfFunds, type Payer, payerOf, SCHEDULES } from './recovery';
import type { ResultRow } from './results';
import { startProductionServer } from './temporal';

const COUNT = countOr(50);
/** January, the first month that is surely ahead. */
const MONTH = 0;
const CARD = {
  holder_name: 'M',
  card_number: '4242424242424242',
  cvv2: '123',
  expiration_month: '12',
  expiration_year: '99',
};

export async function recoverySample(environment: BenchEnvironment): Promise<ResultRow[]> {
  const server = await startProductionServer(environment);
  const { origin, down } = await startPrograms(environment, server.address);
  const rows: ResultRow[] = [];
  for (const schedule of SCHEDULES) rows.push(await sample(environment, origin, schedule));
  await down();
  await server.down();
  return rows;
}

function shortOfFunds(schedule: (typeof SCHEDULES)[number]): [Payer, CollectedPeriod][] {
  const found: [Payer, CollectedPeriod][] = [];
  for (let id = 0; found.length < COUNT; id++) {
    const payer = payerOf(id);
    const period = collect(payer, chargeDayIn(payer, MONTH), schedule);
    if (isShortOfFunds(period)) found.push([payer, period]);
  }
  return found;
}

async function sample(
  environment: BenchEnvironment,
  origin: string,
  retry_schedule: (typeof SCHEDULES)[number],
): Promise<ResultRow> {
  const { merchant, request } = await openMerchant(environment, origin);
  const monthly = { name: 'Monthly', amount: 49_900, repeat_every: 1, repeat_unit: 'month', trial_days: 0 };
  const terms = { ...monthly, retry_times: 3, retry_schedule, status_after_retry: 'unpaid' };
  const { id: plan_id } = await request('POST', '/plans', terms);
  const payers = shortOfFunds(retry_schedule);
  const foreseen = new Map<string, string>();
  await forEach(COUNT, async i => {
    const [payer, period] = payers[i] as [Payer, CollectedPeriod];
    const customer = { name: 'M', email: `payer${payer.id}@example.com`, requires_account: false };
    const { id: customer_id } = await request('POST', '/customers', customer);
    const { id: source_id } = await request('POST', `/customers/${customer_id}/cards`, CARD);
    const outcomes = period.attempts.map(({ error_code }) => error_code ?? 'approve');
    await request('POST', `/sandbox/cards/${source_id}/script`, { outcomes });
    const trial_end_date = addDays(chargeDayIn(payer, MONTH), -1);
    const body = { plan_id, source_id, trial_end_date };
    const { id } = await request('POST', `/customers/${customer_id}/subscriptions`, body);
    foreseen.set(id, describe(period.attempts));
  });
  const to = addDays(chargeDayIn({ ...(payers[0]?.[0] as Payer), chargeDay: 28 }, MONTH), 40);
  while (typeof (await request('POST', '/sandbox/clock', { to })).to === 'string');

  const attempts = await environment.db.transaction.findMany({
    where: { merchant_id: merchant.id, period: 1 },
    orderBy: [{ creation_date: 'asc' }, { id: 'asc' }],
  });
  const made = groupBy(attempts, ({ subscription_id }) => subscription_id ?? '');
  const isSame = ([id, expected]: [string, string]): boolean =>
    describe(
      (made.get(id) ?? []).map(({ creation_date, error_code }) => ({ day: dayOf(+creation_date), error_code })),
    ) === expected;
  const recovered = attempts.filter(({ status }) => status === 'completed').length;
  const byRules = payers.filter(([, { isPaid }]) => isPaid).length;
  return {
    what: `${COUNT} declined payers, ${retry_schedule}: ${recovered} recovered, attempts on the days of the simulation`,
    per_second: 0,
    beside: `by the rules alone ${byRules}`,
    ratio: [...foreseen].filter(isSame).length / COUNT,
    target: '≥ 1',
  };
}

const describe = (attempts: readonly { day: string; error_code: number | null }[]): string =>
  attempts.map(({ day, error_code }) => `${day} ${error_code ?? 'paid'}`).join(', ');
