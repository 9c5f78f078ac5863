/** URLs of searches in the Temporal UI. */
import {
  EnvironmentAttribute,
  NextChargeAtAttribute,
  SubscriptionStatusAttribute,
} from '../../../workflows/operating/attributes';

const running = (workflow: string): string => `WorkflowType = "${workflow}" AND ExecutionStatus = "Running"`;
const ofSandbox = `${EnvironmentAttribute.name} = "sandbox"`;

const queries = (now: Date) => ({
  subscriptions: `${running('subscription')} AND ${ofSandbox}`,
  pastDue: `${running('subscription')} AND ${ofSandbox} AND ${SubscriptionStatusAttribute.name} = "past_due"`,
  overdue: `${running('subscription')} AND ${ofSandbox} AND ${NextChargeAtAttribute.name} < "${now.toISOString()}"`,
  payments: running('expiry'),
  deliveries: running('delivery'),
  payouts: running('payout'),
  failed: 'ExecutionStatus IN ("Failed", "TimedOut", "Terminated")',
});

type ViewName = keyof ReturnType<typeof queries>;

/** Views by name. The overdue view uses the current time. */
export const temporalViews = (uiUrl: string, namespace: string, now: Date): [ViewName, url: string][] =>
  Object.entries(queries(now)).map(([name, query]) => [
    name as ViewName,
    `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows?${new URLSearchParams({ query })}`,
  ]);
