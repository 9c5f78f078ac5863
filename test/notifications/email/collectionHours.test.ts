/** The hours in which e-mails may demand money, over a whole year. */
import fc from 'fast-check';
import { nextCollectionTime } from '../../../src/notifications/email/payer/collectionHours';
import { DAY_MS, formatMoment, startOfDay } from '../../../workflows/calendar';

/** As published for 2027. */
const HOLIDAYS = [
  ...['01-01', '01-11', '03-22', '03-25', '03-26', '05-01', '05-10', '05-31', '06-07', '07-05', '07-20', '08-07'],
  ...['08-16', '10-18', '11-01', '11-15', '12-08', '12-25'],
].map(day => `2027-${day}`);
const YEAR = { from: startOfDay('2027-01-01'), days: 365 };
const at = (text: string): number => Date.parse(`${text}-05:00`);

it.each([
  ['Friday at 18:59', '2027-01-08T18:59:59', '2027-01-08T18:59:59'],
  ['Friday at 19:00', '2027-01-08T19:00:00', '2027-01-09T08:00:00'],
  ['Saturday at 15:00, before a holiday on Monday', '2027-01-09T15:00:00', '2027-01-12T07:00:00'],
  ['Holy Thursday', '2027-03-25T10:00:00', '2027-03-27T08:00:00'],
  ['Wednesday at midnight', '2027-01-13T00:00:00', '2027-01-13T07:00:00'],
])('an e-mail of %s is sent at the first allowed time', (_, now, allowed) => {
  expect(formatMoment(nextCollectionTime(at(now))).slice(0, 19)).toBe(allowed);
});

it('in a year of 10,000 declines, no e-mail is sent outside the hours of the law, on Sundays or on holidays', () => {
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'America/Bogota' });
  const decline = fc.double({ min: 0, max: YEAR.days - 1, noNaN: true }).map(days => YEAR.from + days * DAY_MS);
  fc.assert(
    fc.property(decline, now => {
      const sent = nextCollectionTime(now);
      const [day = '', time = ''] = formatMoment(sent).slice(0, 19).split('T');
      const name = weekday.format(sent);
      const hours = name === 'Sat' ? ['08:00:00', '15:00:00'] : ['07:00:00', '19:00:00'];
      expect(name).not.toBe('Sun');
      expect(day.startsWith('2028') || !HOLIDAYS.includes(day)).toBe(true);
      expect(time >= (hours[0] ?? '') && time < (hours[1] ?? '')).toBe(true);
      // Not later than needed: four days without collection follow each other at most.
      expect(sent - now).toBeLessThan(5 * DAY_MS);
      expect(sent).toBeGreaterThanOrEqual(Math.floor(now));
    }),
    { numRuns: 10_000 },
  );
});
