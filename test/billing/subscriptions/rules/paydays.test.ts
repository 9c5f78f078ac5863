import fc from 'fast-check';
import {
  easterSunday,
  holidaysOf,
  isWorkingDay,
  paydayRetries,
  paydaysOf,
} from '../../../../src/billing/subscriptions/rules/paydays';
import { addDays } from '../../../../workflows/calendar';

const weekdayOf = (day: string): number => new Date(day).getUTCDay();
const day = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10));

describe('the holidays of Colombia', () => {
  it.each([
    [
      2024,
      '01-01 01-08 03-25 03-28 03-29 05-01 05-13 06-03 06-10 07-01 07-20 08-07 08-19 10-14 11-04 11-11 12-08 12-25',
    ],
    // Sacred Heart and Saint Peter are on the same Monday.
    [2025, '01-01 01-06 03-24 04-17 04-18 05-01 06-02 06-23 06-30 07-20 08-07 08-18 10-13 11-03 11-17 12-08 12-25'],
    [
      2026,
      '01-01 01-12 03-23 04-02 04-03 05-01 05-18 06-08 06-15 06-29 07-20 08-07 08-17 10-12 11-02 11-16 12-08 12-25',
    ],
  ])('in %i are those that the government publishes', (year, days) => {
    expect([...holidaysOf(year)].sort()).toEqual(days.split(' ').map(each => `${year}-${each}`));
  });

  it('are relative to an Easter Sunday between 22 March and 25 April', () => {
    for (let year = 1990; year < 2200; year++) {
      const easter = easterSunday(year);
      expect([weekdayOf(easter), easter >= `${year}-03-22`, easter <= `${year}-04-25`]).toEqual([0, true, true]);
    }
    expect([2000, 2019, 2038, 2049].map(easterSunday)).toEqual([
      '2000-04-23',
      '2019-04-21',
      '2038-04-25',
      '2049-04-18',
    ]);
  });
});

describe('paydays', () => {
  it('are the 15th and the last day of the month, or the working day before', () => {
    // 15 November 2026 is a Sunday, 15 June 2026 a holiday, 31 January 2027 a Sunday.
    expect(paydaysOf(2026, 11)).toEqual(['2026-11-13', '2026-11-30']);
    expect(paydaysOf(2026, 6)).toEqual(['2026-06-12', '2026-06-30']);
    expect(paydaysOf(2027, 1)).toEqual(['2027-01-15', '2027-01-29']);
    expect(paydaysOf(2028, 2)).toEqual(['2028-02-15', '2028-02-29']);
  });

  it('are working days with no working day up to the nominal day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2024, max: 2099 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
        paydaysOf(year, month).forEach((payday, i) => {
          const nominal = [`${last.slice(0, 8)}15`, last][i] ?? '';
          expect([isWorkingDay(payday), payday <= nominal]).toEqual([true, true]);
          for (let later = addDays(payday, 1); later <= nominal; later = addDays(later, 1))
            expect(isWorkingDay(later)).toBe(false);
        });
      }),
    );
  });
});

describe('retries on paydays', () => {
  it('are on the next paydays and the working day after each', () => {
    expect(paydayRetries('2026-06-01', '2026-07-01', 3)).toEqual(['2026-06-12', '2026-06-16', '2026-06-30']);
    // The working day after the last payday of October is 3 November: the 2nd is a holiday.
    expect(paydayRetries('2026-10-30', '2026-11-30', 3)).toEqual(['2026-11-03', '2026-11-13', '2026-11-17']);
    expect(paydayRetries('2026-12-01', '2027-12-01', 5)).toEqual([
      '2026-12-15',
      '2026-12-16',
      '2026-12-31',
      '2027-01-04',
      '2027-01-15',
    ]);
  });

  it('that find no payday before the next charge are on the days before it', () => {
    expect(paydayRetries('2026-06-01', '2026-07-01', 5)).toEqual([
      '2026-06-12',
      '2026-06-16',
      '2026-06-28',
      '2026-06-29',
      '2026-06-30',
    ]);
    expect(paydayRetries('2026-11-03', '2026-11-10', 2)).toEqual(['2026-11-08', '2026-11-09']);
  });

  const cases = fc.record({
    after: day,
    length: fc.integer({ min: 0, max: 400 }),
    count: fc.integer({ min: 0, max: 20 }),
  });

  it('are different days between the charges, as many as there are retries or days', () => {
    fc.assert(
      fc.property(cases, ({ after, length, count }) => {
        const before = addDays(after, length);
        const days = paydayRetries(after, before, count);
        expect(days).toHaveLength(Math.min(count, Math.max(0, length - 1)));
        expect([...new Set(days)].sort()).toEqual(days);
        expect(days.every(each => each > after && each < before)).toBe(true);
      }),
    );
  });

  it('stay on the same days when they are computed again after one of them', () => {
    fc.assert(
      fc.property(cases, ({ after, length, count }) => {
        const before = addDays(after, length);
        const [first, ...rest] = paydayRetries(after, before, count);
        if (first) expect(paydayRetries(first, before, count - 1)).toEqual(rest);
      }),
    );
  });

  it('are paydays or the working day after one, except on the last days before the next charge', () => {
    fc.assert(
      fc.property(cases, ({ after, length, count }) => {
        const before = addDays(after, length);
        const days = paydayRetries(after, before, count);
        const isOrdinary = (each: string): boolean => {
          const [year = 0, month = 0] = each.split('-').map(Number);
          const paydays = [
            ...paydaysOf(year, month),
            ...(month === 1 ? paydaysOf(year - 1, 12) : paydaysOf(year, month - 1)),
          ];
          return paydays.some(payday => payday === each || isNextWorkingDay(payday, each));
        };
        const others = days.filter(each => !isOrdinary(each));
        const skipped = days.filter(each => each > (others[0] ?? before));
        // From the first other day on, every day is used.
        if (others[0]) expect(addDays(others[0], skipped.length + 1)).toBe(before);
      }),
    );
  });
});

function isNextWorkingDay(payday: string, other: string): boolean {
  if (other <= payday || !isWorkingDay(other)) return false;
  for (let each = addDays(payday, 1); each < other; each = addDays(each, 1)) if (isWorkingDay(each)) return false;
  return true;
}
