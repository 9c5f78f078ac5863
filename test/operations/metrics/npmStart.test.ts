/** The dashboard, the alerts and the table of docs/operating.md, compared with the metrics of both processes. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { fromRoot } from '../../../src/platform/root';
import { visa } from '../../harness/cards/testCards';
import { eventually } from '../../harness/flow/until';
import { sendRequest } from '../../harness/servers/api';
import { cleanUpAfterAll, LocalInstallation } from '../../harness/servers/localInstallation';
import { getUntil } from '../../harness/servers/program';

cleanUpAfterAll();

const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');

interface Rule {
  alert: string;
  expr: string;
}
const { groups } = parse(read('docs/observability/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap(group => group.rules);

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
const { panels } = JSON.parse(read('docs/observability/grafana/recaudo.json')) as { panels: Panel[] };

const namesIn = (text: string): string[] => text.match(/\b(?:recaudo|temporal)_\w+/g) ?? [];
const documented = [...read('docs/operating.md').matchAll(/^\| `(recaudo_\w+)` +\| (\w+) /gm)];

/** Some metrics appear only after a charge and a renewal. */
let page: string;
let metrics: Map<string, string>;
beforeAll(async () => {
  const installation = await LocalInstallation.create();
  const launcher = installation.start();
  await launcher.waitForOutput(/Temporal UI {3}http/);
  await getUntil(`${installation.url}/ready`, 200);
  const { merchant_id, private_key: key, metrics_url } = await installation.readJson();
  const post = async (path: string, body: object) => {
    const answer = await sendRequest(`${installation.url}/v1/${merchant_id}${path}`, 'POST', { key, body });
    expect([200, 201, 202]).toContain(answer.status);
    return answer;
  };
  const payer = { name: 'María', email: 'maria@example.com' };
  const { id: source_id } = (await post('/cards', visa)).body;
  const order = {
    method: 'card',
    amount: 1000,
    currency: 'COP',
    iva: '19',
    description: 'Order',
    device_session_id: 'd',
  };
  await post('/charges', { ...order, source_id, customer: payer });
  const customer_id = (await post('/customers', payer)).body.id;
  const card = (await post(`/customers/${customer_id}/cards`, visa)).body.id;
  const terms = { repeat_every: 1, repeat_unit: 'month', retry_times: 3, status_after_retry: 'unpaid', trial_days: 1 };
  const plan_id = (await post('/plans', { name: 'Monthly', amount: 49900, ...terms })).body.id;
  await post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id: card });
  const to = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await eventually(async () => expect((await post('/sandbox/clock', { to, customer_id })).status).toBe(200));
  expect((await fetch(new URL('/metrics', installation.url))).status).toBe(404);
  // A charge counter is written when the merchant's environment is known.
  page = await eventually(async () => {
    const text = await (await fetch(metrics_url)).text();
    expect(text).toMatch(/^recaudo_charges_total\{process="api".* 1$/m);
    expect(text).toMatch(/^recaudo_renewals_total\{process="worker".* 1$/m);
    return text;
  });
  metrics = new Map([...page.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  await launcher.stop();
});

/** A histogram is exported as three metrics. */
const exists = (name: string): boolean =>
  metrics.has(name) || metrics.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram';

it('the page describes each metric once, and labels each line with its process', () => {
  expect(page.match(/^# TYPE recaudo_build_info /gm)).toHaveLength(1);
  const lines = page.split('\n').filter(line => line && !line.startsWith('#'));
  expect(lines.filter(line => !/^\w+\{process="(api|worker)"[,}]/.test(line))).toEqual([]);
  for (const process of ['api', 'worker']) expect(page).toContain(`recaudo_build_info{process="${process}",version=`);
});

it('a charge and a renewal are counted in the processes that made them', () => {
  expect(page).toMatch(
    /^recaudo_charges_total\{process="api",environment="sandbox",method="card",outcome="completed"\} 1$/m,
  );
  expect(page).toMatch(/^recaudo_charges_total\{process="worker",environment="sandbox",.*"completed"\} 1$/m);
  expect(page).toMatch(/^recaudo_renewals_total\{process="worker",environment="sandbox",outcome="charged"\} 1$/m);
  expect(page).toMatch(/^recaudo_renewal_lateness_seconds_count\{process="worker",environment="sandbox"\} 1$/m);
  expect(page).toMatch(
    /^recaudo_requests_total\{process="api",environment="sandbox",api="rest",operation="createCharge",outcome="ok"\} 1$/m,
  );
});

it('no database query of the worker failed', () => {
  const failed = page.match(/^recaudo_failed_readings_total.*$/gm) ?? [];
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.filter(line => !line.endsWith(' 0'))).toEqual([]);
});

it.each(rules.map(({ alert, expr }) => [alert, expr]))('the alert %s names metrics that exist', (_, expr) => {
  expect(namesIn(expr)).not.toEqual([]);
  expect(namesIn(expr).filter(name => !exists(name))).toEqual([]);
});

it.each(panels.filter(({ targets }) => targets))('the panel $title names metrics that exist', ({ targets = [] }) => {
  const names = targets.flatMap(({ expr }) => namesIn(expr));
  expect(names).not.toEqual([]);
  expect(names.filter(name => !exists(name))).toEqual([]);
});

it('docs/operating.md lists every metric and alert of recaudo, and no other', () => {
  const shown = [...metrics.keys()].filter(name => /^recaudo_(?!process_|nodejs_)/.test(name));
  expect(documented.map(([, name]) => name).sort()).toEqual(shown.sort());
  for (const { alert } of rules) expect(read('docs/operating.md')).toContain(`| \`${alert}\``);
});
