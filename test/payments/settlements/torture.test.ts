/**
 * Every morning is settled once, whatever is killed: API, worker, acquirer and PostgreSQL are killed with SIGKILL while
 * reports are made, sent, received and matched. Then every payment is conciliated, and the audit finds nothing.
 */
import type { Credentials } from '../../../src/local/credentials';
import { randomFrom } from '../../../torture/random';
import { addDays, dayOf } from '../../../workflows/calendar';
import { eventually } from '../../harness/flow/until';
import { sendRequest } from '../../harness/servers/api';
import { killParts, planKills, prepareClients } from '../../harness/torture/clients';
import { testStack, UNFINISHED } from '../../harness/torture/stack';

const isLong = process.env.TORTURE === 'long';
const { mornings, operations, kills } = isLong
  ? { mornings: 15, operations: 60, kills: 60 }
  : { mornings: 3, operations: 15, kills: 10 };
const seed = Number(process.env.TORTURE_SEED ?? 20261117);

const startStack = testStack();

/** Repeats the request until it is answered with 200: whoever is asked may be dead. */
async function moveClock({ url, merchant_id, private_key: key }: Credentials, to: string): Promise<void> {
  await eventually(async () => {
    const { status, text } = await sendRequest(`${url}/v1/${merchant_id}/sandbox/clock`, 'POST', { key, body: { to } });
    if (status !== 200) throw new Error(`${status} ${text}`);
  }, 180);
}

it(
  `${mornings} mornings and ${kills} kills (seed ${seed}): everything is settled once`,
  async () => {
    const random = randomFrom(seed);
    const { installation, launcher, credentials, query, untilNone, expectAgreement } = await startStack();
    const { clients } = await prepareClients(credentials, 3, random);
    const today = dayOf(Date.now());

    const killing = killParts(installation, planKills(random, kills));
    for (let morning = 1; morning <= mornings; morning++) {
      await Promise.all(clients.map(client => client.run(client.log.length + operations / 3, () => undefined)));
      await moveClock(credentials, `${addDays(today, morning)}T12:00:00-05:00`);
    }
    await killing;
    // A payment or a payout whose outcome is found out late is settled after the next move.
    await untilNone(UNFINISHED);
    await moveClock(credentials, `${addDays(today, mornings + 2)}T12:00:00-05:00`);
    await untilNone(`select id from transactions where not conciliated and status in ('completed', 'refunded')
      union all select id from settlement_reports where ended_at is null`);
    const [{ reports, settlements, told } = {}] = await query<Record<'reports' | 'settlements' | 'told', string>>(`
      select (select count(*) from settlement_reports where status = 'matched') as reports, (select count(*) from settlements) as settlements,
        (select count(*) from events where type = 'settlement.created') as told`);
    expect(Number(reports)).toBeGreaterThanOrEqual(mornings);
    expect([settlements, told]).toEqual([reports, reports]);
    await expectAgreement();
    expect(await launcher.stop()).toBe(0);
  },
  isLong ? 1_200_000 : 400_000,
);
