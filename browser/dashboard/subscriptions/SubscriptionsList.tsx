import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { graphql, type ResultOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { statusName } from '../../shared/ui/Chip';
import { omitUndefined } from '../api/omitUndefined';
import { useQuery } from '../api/useQuery';
import { customerNameOf } from '../customers/nameOf';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { spanOf } from '../lists/span';
import { metadataFilter, metadataIn } from '../metadata/filter';
import { planLabel } from '../plans/terms';
import { SUBSCRIPTION_ROW, type SubscriptionRow, subscriptionColumns } from './listColumns';
import { t } from './listTexts';

const SUBSCRIPTIONS = graphql(
  `
  query Subscriptions(
    $first: Int, $last: Int, $after: String, $before: String, $status: [SubscriptionStatus!], $plan: ID, $customer: ID,
    $from: Day, $to: Day, $nextFrom: Day, $nextTo: Day, $credit: Boolean, $metadata: Metadata
  ) {
    subscriptions(
      first: $first, last: $last, after: $after, before: $before, status: $status, plan_id: $plan,
      customer_id: $customer, creation_gte: $from, creation_lte: $to, charge_date_gte: $nextFrom,
      charge_date_lte: $nextTo, has_credit: $credit, metadata: $metadata
    ) {
      edges { node { ...SubscriptionRow } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
  }
`,
  [SUBSCRIPTION_ROW],
);
const PLANS = graphql(`query PlanNames { plans(first: 100) { nodes { id name amount repeat_every repeat_unit } } }`);

type Status = SubscriptionRow['status'];
const STATUSES: Status[] = ['trial', 'active', 'past_due', 'unpaid', 'cancelled'];

type Plan = NonNullable<ResultOf<typeof PLANS>['plans']>['nodes'][number];

const list = (plans: readonly Plan[]): ListDefinition<SubscriptionRow> => ({
  path: '/subscriptions',
  title: t.title,
  about: t.about,
  columns: subscriptionColumns,
  filters: [
    {
      key: 'status',
      name: t.status,
      kind: 'choices',
      options: STATUSES.map(status => [status, statusName(status)]),
    },
    { key: 'plan', name: t.plan, kind: 'choice', options: plans.map(plan => [plan.id, planLabel(plan)]) },
    { key: 'next', name: t.next, kind: 'days' },
    { key: 'created', name: t.created, kind: 'days' },
    { key: 'customer', name: t.customer, kind: 'text', nameOf: customerNameOf },
    {
      key: 'credit',
      name: t.credit,
      kind: 'choice',
      options: [
        ['true', t.yes],
        ['false', t.no],
      ],
    },
    metadataFilter,
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/subscriptions/${id}`,
  load: async ({ status, plan, customer, next, created, credit, metadata }, page, signal) => {
    const [charged, made] = [spanOf(next), spanOf(created)];
    const variables = omitUndefined({
      // No choice means all statuses, including ended ones.
      status: (status?.split(',') as Status[] | undefined) ?? STATUSES,
      plan,
      customer,
      nextFrom: charged.from,
      nextTo: charged.to,
      from: made.from,
      to: made.to,
      credit: credit === undefined ? undefined : credit === 'true',
      metadata: metadataIn(metadata),
    });
    const answer = await ask(SUBSCRIPTIONS, { ...variables, ...windowOf(page) }, { signal });
    return pageOfConnection(required(answer.subscriptions));
  },
  refreshOn: ({ name }) => name.startsWith('subscription.') || name === 'charge.succeeded',
});

export function SubscriptionsList() {
  const plans = useQuery(PLANS, {}).data?.plans?.nodes ?? [];
  const start = (
    <>
      <p class="hint">{t.fill}</p>
      <Link href="/customers" class="button primary">
        {t.toCustomers}
      </Link>
    </>
  );
  return <ListPage of={list(plans)} start={start} />;
}
