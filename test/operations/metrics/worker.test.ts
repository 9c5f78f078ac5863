/** The metrics that the worker reads from the database. */
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import { testPort } from '../../harness/servers/port';
import { Program } from '../../harness/servers/program';
import { secrets } from '../../harness/world/secrets';

let port: number;
beforeAll(async () => {
  port = await testPort();
});
const billing = testBilling({ workerVariables: () => ({ METRICS_PORT: `${port}` }) });
const { api, shop } = billing;

/** One gauge of each SQL query that the worker's metrics use. */
const ONE_GAUGE_PER_QUERY = [
  ...['renewals_overdue', 'merchant_renewals_overdue_seconds', 'open_unknowns'],
  ...['outbox_rows', 'delivery_backlog', 'invariant_violations'],
];

it('the worker responds to the liveness probe at the port of its metrics', async () => {
  const health = () => fetch(`http://127.0.0.1:${port}/health`);
  const { status } = await eventually(health);
  expect(status).toBe(200);
});

it('the worker shows overdue renewals, unknown outcomes, waiting outbox rows and the differences of the last audit', async () => {
  const { id, card_id } = await billing.subscribe('2039-01-10', { plan: { trial_days: 20 } });
  const charge = await shop.newCharge(await shop.newCard());
  const db = api.database.db();
  // Without a usable card the renewal fails, so it stays overdue.
  await db.$executeRaw`
    update cards set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
    where id = ${card_id}`;
  await db.$executeRaw`update subscriptions set due_at = now() - interval '2 hours' where id = ${id}`;
  // The lease has not expired, so no process asks the acquirer, and the outcome stays unknown.
  await db.$executeRaw`
    update transactions set progress = 'prepared', status = 'in_progress', creation_date = now() - interval '5 minutes',
      lease_until = now() + interval '1 hour' where id = ${charge}`;
  await db.$executeRaw`
    insert into outbox (kind, object_id, environment, creation_date, tries, again_at)
    values ('payment_mail', ${charge}, 'sandbox', now() - interval '3 hours', 7, now() + interval '1 hour')`;
  const audit = new Program('audit', {
    DATABASE_URL: api.database.url(),
    ACQUIRER_URL: api.acquirer.credentials().url,
    VAULT_FINGERPRINT_KEY: secrets.VAULT_FINGERPRINT_KEY,
  });
  expect(await audit.exited).toBe(1);
  const [, differences] = /^Found (\d+) differences\.$/m.exec(audit.output) ?? [];

  const page = await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    // If the database is busy, values can be missing until the worker reads again, ten seconds later.
    for (const name of ONE_GAUGE_PER_QUERY) expect(text).toMatch(new RegExp(`^recaudo_${name}\\{`, 'm'));
    return text;
  });
  const seriesValue = (series: string): number => {
    const line = page.split('\n').find(text => text.startsWith(`${series} `));
    return Number(line?.slice(series.length));
  };
  expect(seriesValue('recaudo_renewals_overdue{environment="sandbox"}')).toBe(1);
  expect(seriesValue('recaudo_renewals_overdue{environment="production"}')).toBe(0);
  expect(seriesValue('recaudo_renewals_overdue_seconds{environment="sandbox"}')).toBeGreaterThanOrEqual(7200);
  const { id: merchant } = api.merchants().own;
  expect(
    seriesValue(`recaudo_merchant_renewals_overdue_seconds{environment="sandbox",merchant="${merchant}"}`),
  ).toBeGreaterThanOrEqual(7200);
  expect(seriesValue('recaudo_open_unknowns{environment="sandbox"}')).toBe(1);
  expect(seriesValue('recaudo_outbox_rows{environment="sandbox",kind="payment_mail"}')).toBe(1);
  expect(seriesValue('recaudo_outbox_age_seconds{environment="sandbox",kind="payment_mail"}')).toBeGreaterThanOrEqual(
    10_800,
  );
  expect(seriesValue('recaudo_outbox_age_seconds{environment="sandbox",kind="payout"}')).toBe(0);
  expect(seriesValue('recaudo_delivery_backlog{environment="sandbox"}')).toBe(0);
  expect(Number(differences)).toBeGreaterThan(0);
  expect(seriesValue('recaudo_invariant_violations{environment="all",invariant="books"}')).toBe(Number(differences));
  expect(seriesValue('recaudo_audit_timestamp_seconds{environment="all",invariant="books"}')).toBeGreaterThan(0);
});

it('the metrics are served only at their path, and only to GET requests', async () => {
  const statuses = ['/metrics', '/other'].map(async path => (await fetch(`http://127.0.0.1:${port}${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([200, 404]);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
});
