/** The changes of operators, each with its preview and its mutation. */
import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import type { Operation, VariablesOf } from '../../shared/api/graphql';
import type { Values } from '../../shared/ui/FieldInput';
import { graphql } from '../graphql';

export const PREVIEW = graphql(`
  query Preview(
    $action: OperatorAction!, $id: ID!, $environment: MerchantEnvironment, $until: Timestamp, $over_seconds: Int,
    $rate: Percent, $fixed: Money, $amount: Money
  ) {
    operatorActionPreview(
      action: $action, id: $id, environment: $environment, until: $until, over_seconds: $over_seconds,
      rate: $rate, fixed: $fixed, amount: $amount
    ) { steps }
  }
`);

export type ActionName = VariablesOf<typeof PREVIEW>['action'];
type EnvironmentName = NonNullable<VariablesOf<typeof PREVIEW>['environment']>;

/** The changed object; an environment only for everything in it. */
export interface ActionTarget {
  id: string;
  environment?: EnvironmentName;
}

const HOLD = graphql(`
  mutation Hold($id: ID!, $environment: MerchantEnvironment, $reason: String!, $until: Timestamp) {
    holdBilling(id: $id, environment: $environment, reason: $reason, until: $until) { id }
  }
`);
const RELEASE = graphql(`
  mutation Release($id: ID!, $environment: MerchantEnvironment, $reason: String!, $over_seconds: Int) {
    releaseBilling(id: $id, environment: $environment, reason: $reason, over_seconds: $over_seconds) { id }
  }
`);
const SUSPEND = graphql(
  `mutation Suspend($id: ID!, $reason: String!) { suspendMerchant(id: $id, reason: $reason) { id } }`,
);
const RESUME = graphql(
  `mutation Resume($id: ID!, $reason: String!) { resumeMerchant(id: $id, reason: $reason) { id } }`,
);
const ASK = graphql(
  `mutation AskAcquirer($id: ID!, $reason: String!) { askAcquirer(id: $id, reason: $reason) { id } }`,
);
const RESEND = graphql(`mutation Resend($id: ID!, $reason: String!) { resendEvent(id: $id, reason: $reason) { id } }`);
const REBUILD = graphql(`
  mutation Rebuild($id: ID!, $reason: String!) { rebuildSubscription(id: $id, reason: $reason) { id } }
`);
const DRAIN = graphql(`mutation Drain($id: ID!, $reason: String!) { drainWorkers(id: $id, reason: $reason) { ids } }`);
const COSTS = graphql(`
  mutation Costs($id: ID!, $rate: Percent!, $fixed: Money!, $reason: String!) {
    changeMerchantCosts(id: $id, rate: $rate, fixed: $fixed, reason: $reason) { id }
  }
`);
const RESERVE = graphql(`
  mutation Reserve($id: ID!, $amount: Money!, $reason: String!) {
    changeMerchantReserve(id: $id, amount: $amount, reason: $reason) { id }
  }
`);
const PAY = graphql(`
  mutation Pay($id: ID!, $amount: Money!, $description: String, $reason: String!) {
    payMerchant(id: $id, amount: $amount, description: $description, reason: $reason) { id }
  }
`);

type ReasonedChange = Operation<unknown, { id: string; reason: string }>;

const BY_REASON: Readonly<
  Record<Exclude<ActionName, 'hold' | 'release' | 'costs' | 'reserve' | 'pay'>, ReasonedChange>
> = {
  suspend: SUSPEND,
  resume: RESUME,
  ask_acquirer: ASK,
  resend: RESEND,
  rebuild: REBUILD,
  drain: DRAIN,
};

/** The options of a hold and a release. Without one, the server decides. */
const termsOf = ({ until, over_seconds }: Values) => ({
  ...(until && { until }),
  ...(over_seconds && { over_seconds: Number(over_seconds) }),
});

/** Without an amount the preview describes the present state. */
const amountsOf = ({ rate, fixed, amount }: Values) => ({
  ...(rate && { rate: Number(rate) }),
  ...(fixed && { fixed: asEntered(fixed) }),
  ...(amount && { amount: asEntered(amount) }),
});

export const previewOf = (action: ActionName, target: ActionTarget, values: Values): VariablesOf<typeof PREVIEW> => ({
  action,
  ...target,
  ...termsOf(values),
  ...amountsOf(values),
});

export async function runAction(action: ActionName, target: ActionTarget, values: Values, key: string): Promise<void> {
  const { reason = '', rate, fixed, amount, description } = values;
  const options = { session: 'operator', key } as const;
  if (action === 'hold') await ask(HOLD, { ...target, reason, ...termsOf(values) }, options);
  else if (action === 'release') await ask(RELEASE, { ...target, reason, ...termsOf(values) }, options);
  else if (action === 'costs')
    await ask(COSTS, { id: target.id, rate: Number(rate), fixed: asEntered(fixed), reason }, options);
  else if (action === 'reserve') await ask(RESERVE, { id: target.id, amount: asEntered(amount), reason }, options);
  else if (action === 'pay') {
    const payout = { amount: asEntered(amount), ...(description && { description }) };
    await ask(PAY, { id: target.id, ...payout, reason }, options);
  } else await ask(BY_REASON[action], { id: target.id, reason }, options);
}
