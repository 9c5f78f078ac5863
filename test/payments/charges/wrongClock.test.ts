/** A wrong clock on an API machine does not change the length of its leases. */
import { CHARGE_LEASE_SECONDS } from '../../../src/payments/charges/rows';
import { freezeClock } from '../../harness/flow/frozenClock';
import { testCharges } from '../../harness/merchant/charges';
import { inDatabase } from '../../harness/world/database';

const { api, newCharge, pay, refund } = testCharges();
const sql = (text: string) => inDatabase(api.database.url(), client => client.query(text));

/** A lease ends with its request, so a trigger records its length by the clock of the database, which recovery uses. */
beforeAll(() =>
  sql(`
    create table leases (seconds float8);
    create function note_lease() returns trigger language plpgsql as $$
      begin
        insert into leases values (round(extract(epoch from new.lease_until - now())));
        return null;
      end $$;
    create trigger note_lease after insert or update of lease_until on transactions
      for each row when (new.lease_until is not null) execute function note_lease();`),
);

describe.each([
  ['fast', 8],
  ['slow', -8],
])('an API whose clock is %s', (_, minutes) => {
  it.each([
    ['a charge', newCharge, async () => undefined],
    [
      'a capture',
      async () => (await pay({ capture: false })).body.id,
      (id: string) => api.rest('POST', `/charges/${id}/capture`),
    ],
    ['a refund', newCharge, (id: string) => refund(id)],
  ])('leases %s for the usual time', async (__, prepare, work) => {
    freezeClock()(minutes * 60_000);
    const id = await prepare();
    await work(id);
    const { rows } = await sql('delete from leases returning seconds');
    expect(rows).not.toEqual([]);
    expect(rows.map(({ seconds }) => seconds)).toEqual(rows.map(() => CHARGE_LEASE_SECONDS));
  });
});
