/** The layout of the timeline, without a browser. */

import { layoutOf } from '../../../browser/dashboard/timeline/layout';
import { scaleOf } from '../../../browser/dashboard/timeline/scale';
import { type Entry, itemsOf, periodsOf, type TimelineData } from '../../../browser/dashboard/timeline/timelineData';

const DAY = 86_400_000;
const at = (day: string): number => Date.parse(`${day}T00:30:00-05:00`);
const entry = (day: string, event: string, period: number | null = null): Entry => ({
  date: `${day}T00:30:00-05:00`,
  event,
  description: event,
  period,
  transaction_id: null,
  error_code: null,
});
const charge = (charge_date: string, period: number) => ({ charge_date, period, amount: 49900, invoice: null });
const timeline = (overrides: Partial<TimelineData> = {}): TimelineData => ({
  entries: [
    entry('2040-01-10', 'created'),
    entry('2040-01-10', 'charged', 1),
    entry('2040-02-10', 'declined', 2),
    entry('2040-02-11', 'declined', 2),
  ],
  projection: [charge('2040-02-12', 2), charge('2040-03-10', 3), charge('2040-04-10', 4)],
  now: at('2040-02-11') + DAY / 2,
  interval: { repeat_every: 1, repeat_unit: 'month' },
  endsWithRetries: false,
  ...overrides,
});
const marksOf = (of: TimelineData): string =>
  itemsOf(of)
    .map(({ day, mark }) => `${day.slice(5)} ${mark}`)
    .join(', ');
const periodLines = (of: TimelineData): string[] =>
  periodsOf(itemsOf(of), of).map(({ number, from, to, kind }) => {
    const day = (time: number) => new Date(time - 5 * 3_600_000).toISOString().slice(5, 10);
    return `${number} ${kind} ${day(from)} ${day(to)}`;
  });

describe('the scale', () => {
  const times = [0, 1, 2, 100].map(day => day * DAY);

  it('uses its length, keeps neighbours apart, and is otherwise proportional to time', () => {
    const { places, length } = scaleOf(times, { gap: 20, length: 500 });
    expect(length).toBeCloseTo(500);
    expect(places.map(Math.round)).toEqual([0, 20, 40, 500]);
  });

  it('is longer than requested if the gaps need it', () => {
    expect(scaleOf(times, { gap: 200, length: 500 }).length).toBe(600);
  });

  it('has one position for simultaneous events', () => {
    const { placeOf } = scaleOf([0, DAY, DAY, 2 * DAY], { gap: 20, length: 60 });
    expect(placeOf(DAY)).toBeCloseTo(20);
  });

  it('converts positions to times and back, also between events, within its ends', () => {
    const { placeOf, timeAt, length } = scaleOf(times, { gap: 20, length: 500 });
    for (const day of [0, 0.5, 1, 2, 33, 99]) expect(timeAt(placeOf(day * DAY)) / DAY).toBeCloseTo(day);
    expect([placeOf(-DAY), placeOf(200 * DAY)]).toEqual([0, length]);
    expect([timeAt(-5), timeAt(9999)]).toEqual([0, 100 * DAY]);
  });
});

describe('the marks', () => {
  it('are those of the history, followed by those of the projection', () => {
    expect(marksOf(timeline())).toBe(
      '01-10 note, 01-10 paid, 02-10 declined, 02-11 declined, 02-12 planned, 03-10 planned, 04-10 planned',
    );
  });

  it('are crosses from the day on from which charges are simulated to be declined', () => {
    expect(marksOf(timeline({ declinedFrom: '2040-03-10' }))).toContain(
      '02-12 planned, 03-10 would-decline, 04-10 would-decline',
    );
    // The last charge of the year has as many retries as any other.
    const tries = ['2041-02-10', '2041-02-13', '2041-02-14', '2041-02-15'].map(day => charge(day, 14));
    const atTheEnd = marksOf(timeline({ declinedFrom: '2041-02-10', projection: [charge('2040-03-10', 3), ...tries] }));
    expect(atTheEnd.match(/would-decline/g)).toHaveLength(4);
  });

  it('show a planned change, a discount from its start to its end, extras, and periods that cost nothing', () => {
    const extras = [{ description: 'Installation', amount: 9000 }];
    const off = (discount: number) => ({ discount, credit: 0, extras: [] });
    const projection = [
      { ...charge('2040-02-12', 2), invoice: { ...off(100), extras } },
      { ...charge('2040-03-10', 3), invoice: off(100) },
      { ...charge('2040-04-10', 4), amount: 0, invoice: { ...off(0), credit: 49900 } },
    ];
    const changed = timeline({ entries: [], projection, change: { date: '2040-03-10', to: 'Pro' } });
    expect(marksOf(changed)).toBe(
      '02-12 planned, 02-12 coupon, 02-12 extra, 03-10 planned, 03-10 plan, 04-10 covered, 04-10 coupon',
    );
  });

  it('cover a year, or the next two charges of a slower plan', () => {
    const projection = [charge('2041-02-12', 3), charge('2042-02-12', 4), charge('2043-02-12', 5)];
    expect(marksOf(timeline({ entries: [], projection }))).toBe('02-12 planned, 02-12 planned');
  });

  it('include e-mails, which are no charges', () => {
    const entries = [entry('2040-01-10', 'charged', 1), entry('2040-02-10', 'declined', 2)];
    const told = timeline({ entries: [...entries, entry('2040-02-10', 'past_due_email', 2)], projection: [] });
    expect(marksOf(told)).toBe('01-10 paid, 02-10 declined, 02-10 email');
    expect(periodLines(told)).toEqual(periodLines(timeline({ entries, projection: [] })));
  });

  it('end with the subscription, if it ends with its period', () => {
    expect(marksOf(timeline({ entries: [], projection: [], endsOn: '2040-03-10' }))).toBe('03-10 end');
  });
});

describe('the periods', () => {
  it('extend from each first charge to the next; unpaid periods are open, also while a retry is planned', () => {
    expect(periodLines(timeline())).toEqual([
      '1 paid 01-10 02-10',
      '2 open 02-10 03-10',
      '3 planned 03-10 04-10',
      '4 planned 04-10 05-11',
    ]);
  });

  it('begin with a trial, if there was one', () => {
    const entries = [entry('2040-01-10', 'created')];
    const trial = timeline({ entries, projection: [charge('2040-01-25', 1)], now: at('2040-01-12') });
    expect(periodLines(trial)[0]).toBe('0 trial 01-10 01-25');
    const late = [{ ...entry('2040-01-10', 'created'), date: '2040-01-10T17:00:00-05:00' }];
    const ofOneDay = timeline({
      entries: late,
      projection: [charge('2040-01-11', 1)],
      now: at('2040-01-10') + DAY / 2,
    });
    expect(periodLines(ofOneDay)[0]).toBe('0 trial 01-10 01-11');
  });

  it('are apart from a pause, which lasts until the resumption', () => {
    const paused = timeline({
      entries: [entry('2040-01-10', 'created'), entry('2040-01-10', 'charged', 1)],
      projection: [charge('2040-05-01', 2), charge('2040-06-01', 3)],
      pause: { since: '2040-02-10', resume_date: '2040-05-01' },
      now: at('2040-01-20'),
    });
    expect(periodLines(paused).slice(0, 3)).toEqual([
      '1 paid 01-10 02-10',
      '-1 paused 02-10 05-01',
      '2 planned 05-01 06-01',
    ]);
  });

  it('are apart from a pause that is over, which began when the paid period ended', () => {
    const entries = [
      entry('2040-01-31', 'charged', 1),
      entry('2040-02-10', 'pause_requested'),
      entry('2040-05-01', 'resumed'),
      entry('2040-05-01', 'charged', 2),
    ];
    const resumed = timeline({ entries, projection: [charge('2040-06-01', 3)], now: at('2040-05-02') });
    expect(periodLines(resumed).slice(0, 3)).toEqual([
      '1 paid 01-31 02-29',
      '-1 paused 02-29 05-01',
      '2 paid 05-01 06-01',
    ]);
  });

  it('with an simulated decline are as long as the period before, or end with the last retry if that cancels', () => {
    const declined = { declinedFrom: '2040-03-10', projection: [charge('2040-03-10', 3), charge('2040-03-11', 3)] };
    expect(periodLines(timeline(declined)).at(-1)).toBe('3 would-owe 03-10 04-08');
    expect(periodLines(timeline({ ...declined, endsWithRetries: true })).at(-1)).toBe('3 would-owe 03-10 03-11');
  });

  it('end with the subscription', () => {
    const entries = [entry('2040-01-10', 'charged', 1), entry('2040-01-20', 'cancelled_by_merchant')];
    expect(periodLines(timeline({ entries, projection: [] }))).toEqual(['1 paid 01-10 01-20']);
  });
});

it.each([true, false])('every event is on its side of today, vertical: %s', isVertical => {
  const of = timeline();
  const items = itemsOf(of);
  const { places, nowPlace, size, point } = layoutOf(items, periodsOf(items, of), of, {
    isVertical,
    width: 800,
  });
  for (const { key, isPlanned } of items) {
    expect([key, (places.get(key) ?? Number.NaN) > nowPlace]).toEqual([key, isPlanned]);
  }
  const inOrder = items.map(({ key }) => places.get(key));
  expect(inOrder).toEqual([...inOrder].sort((a, b) => (a ?? 0) - (b ?? 0)));
  expect(point(1, 2)).toEqual(isVertical ? { x: 2, y: 1 } : { x: 1, y: 2 });
  expect(size.width).toBeCloseTo(800);
});
