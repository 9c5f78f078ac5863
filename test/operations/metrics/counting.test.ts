/** Request counters and their labels, which never contain text from clients. */
import { Breakers } from '../../../src/gateway/acquirer/breakers';
import '../../../src/operations/metrics/charges';
import { joinMetrics } from '../../../src/operations/metrics/join';
import { registry } from '../../../src/platform/metrics/counters';
import { eventually } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testApi } from '../../harness/servers/api';

const api = testApi({ limits: { LIMIT_REQUESTS_IN_FLIGHT: 1 } });
const shop = merchantCalls(api);

/** The lines of a metric that changed since the function was created, with their differences. */
async function changesOf(name: string): Promise<() => Promise<Record<string, number>>> {
  const values = async () => {
    const metric = (await registry.getMetricsAsJSON()).find(each => each.name === name);
    return new Map(
      (metric?.values ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value] as const),
    );
  };
  const before = await values();
  return async () => {
    const changed = [...(await values())].map(
      ([labels, value]) => [labels, value - (before.get(labels) ?? 0)] as const,
    );
    return Object.fromEntries(changed.filter(([, added]) => added > 0));
  };
}

it('the metrics count a request by its operation over either API, and by its outcome', async () => {
  const changes = await changesOf('recaudo_requests_total');
  await api.rest('GET', '/customers');
  await api.rest('GET', '/customers/unknown');
  await api.rest('GET', '/nowhere');
  await api.graphql('{ merchant { id } }');
  await api.graphql('query Mine { a: merchant { id } keys(first: 1) { nodes { __typename } } }');
  await api.graphql('{ customer(customer_id: "unknown") { id } }');
  await api.graphql('{ unheardOf { id } }');
  await api.graphql('{ merchant');
  await eventually(async () =>
    expect(await changes()).toEqual({
      'sandbox rest customers ok': 1,
      'sandbox rest customer refused': 1,
      'sandbox page (unknown) refused': 1,
      'sandbox graphql merchant ok': 1,
      'sandbox graphql (several) ok': 1,
      'sandbox graphql customer refused': 1,
      'sandbox graphql (other) refused': 1,
      'sandbox graphql (invalid) refused': 1,
    }),
  );
});

it('the metrics count a charge by its environment, method and outcome', async () => {
  const [card, declining] = [await shop.newCard(), await shop.newCard('/cards', '4000000000000341')];
  const changes = await changesOf('recaudo_charges_total');
  await shop.newCharge(card);
  await shop.newCharge(card, { capture: false });
  await shop.post('/charges', { ...shop.charge, source_id: declining, customer: shop.payer });
  await eventually(async () =>
    expect(await changes()).toEqual({
      'sandbox card completed': 1,
      'sandbox card authorized': 1,
      'sandbox card declined': 1,
    }),
  );
});

it('the metrics count a refused request by its rate limit', async () => {
  const [limits, requests] = [await changesOf('recaudo_limits_hit_total'), await changesOf('recaudo_requests_total')];
  const card = await shop.newCard();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => shop.post('/charges', { ...shop.charge, source_id: card, customer: shop.payer })),
  );
  const refused = answers.filter(({ status }) => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  expect(await limits()).toEqual({ in_flight: refused });
  await eventually(async () =>
    expect(await requests()).toMatchObject({ 'sandbox rest createCharge limited': refused }),
  );
});

it('breakers report whether any merchant can reach the acquirer, and the number of merchants that cannot', () => {
  const breakers = new Breakers();
  for (let i = 0; i < 5; i++) breakers.recordFailure('one');
  expect(breakers.states()).toEqual({ isOpen: false, openMerchants: 1 });
  for (const merchant of ['two', 'three', 'four', 'five']) breakers.recordFailure(merchant);
  expect(breakers.states()).toEqual({ isOpen: true, openMerchants: 1 });
  breakers.recordSuccess('one');
  expect(breakers.states()).toEqual({ isOpen: false, openMerchants: 0 });
});

it('a page joins the metrics of several processes, with a label for the process', () => {
  const api = '# HELP a What.\n# TYPE a counter\na{x="{}"} 1\na 2\n';
  const worker = '# HELP a What.\n# TYPE a counter\na{} 3\n\n# TYPE b gauge\nb{y="1"} 4\n';
  expect(
    joinMetrics([
      ['api', api],
      ['worker', worker],
      ['worker', ''],
    ]),
  ).toBe(
    [
      '# HELP a What.',
      '# TYPE a counter',
      'a{process="api",x="{}"} 1',
      'a{process="api"} 2',
      'a{process="worker"} 3',
      '# TYPE b gauge',
      'b{process="worker",y="1"} 4\n',
    ].join('\n'),
  );
});
