import fc from 'fast-check';
import {
  addDays,
  billingOffset,
  DAY_MS,
  dayOf,
  formatMoment,
  nthChargeDay,
  sameTimeOn,
  startOfDay,
} from '../../workflows/calendar';

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10));

describe('charge days', () => {
  it.each([
    ['2026-01-31', 1, 'month', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['2027-12-31', 1, 'month', ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30']],
    ['2027-11-30', 3, 'month', ['2027-11-30', '2028-02-29', '2028-05-30', '2028-08-30', '2028-11-30']],
    ['2028-02-29', 1, 'year', ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['2028-02-20', 2, 'week', ['2028-02-20', '2028-03-05', '2028-03-19', '2028-04-02', '2028-04-16']],
    ['2026-08-31', 100, 'month', ['2026-08-31', '2034-12-31', '2043-04-30', '2051-08-31', '2059-12-31']],
  ] as const)('from %s every %i %s', (first, every, unit, days) => {
    expect(days.map((_, i) => nthChargeDay(first, i + 1, every, unit))).toEqual(days);
  });

  it('increase, and keep the day of the month of the first one, or use the last day of shorter months', () => {
    const unit = fc.constantFrom('week', 'month', 'year' as const);
    fc.assert(
      fc.property(
        day,
        fc.integer({ min: 1, max: 78 }),
        fc.integer({ min: 1, max: 100 }),
        unit,
        (first, n, every, unit) => {
          const [one, two] = [nthChargeDay(first, n, every, unit), nthChargeDay(first, n + 1, every, unit)];
          expect(two > one).toBe(true);
          if (unit === 'week') expect((Date.parse(two) - Date.parse(one)) / DAY_MS).toBe(7 * every);
          else expect(one.slice(8) === first.slice(8) || addDays(one, 1).endsWith('-01')).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });
});

describe('a day in Bogotá', () => {
  it('begins at 05:00 UTC and lasts 24 hours', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: DAY_MS - 1 }), (day, ms) => {
        expect(new Date(startOfDay(day)).toISOString()).toBe(`${day}T05:00:00.000Z`);
        expect(dayOf(startOfDay(day) + ms)).toBe(day);
        expect(dayOf(startOfDay(day) - 1)).toBe(addDays(day, -1));
        expect(formatMoment(startOfDay(day))).toBe(`${day}T00:00:00-05:00`);
      }),
    );
  });
});

describe('the same time on another day', () => {
  it('has the time of day of the planned time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e13 }), fc.integer({ min: -40, max: 40 }), (planned, days) => {
        const other = addDays(dayOf(planned), days);
        const moved = sameTimeOn(other, planned);
        expect([dayOf(moved), moved - planned]).toEqual([other, days * DAY_MS]);
      }),
    );
  });
});

describe('the billing time of a subscription', () => {
  it('lies within two hours, is stable, and is evenly distributed', () => {
    const slots = Array.from({ length: 2000 }, (_, i) => billingOffset(`s${String(i).padStart(19, '0')}`));
    expect(slots.every(slot => slot >= 0 && slot < 7_200_000)).toBe(true);
    expect(slots).toEqual(Array.from({ length: 2000 }, (_, i) => billingOffset(`s${String(i).padStart(19, '0')}`)));
    const quarters = [0, 1, 2, 3].map(quarter => slots.filter(slot => Math.floor(slot / 1_800_000) === quarter).length);
    expect(Math.min(...quarters)).toBeGreaterThan(400);
  });
});
