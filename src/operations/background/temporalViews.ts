/**
 * Links to lists of the Temporal UI. They do not name a view (`savedQuery`), because the UI would save another copy of it
 * each time; without a name, the UI opens the view that the user has saved for the query.
 */
import { addDays, dayOf, formatMoment, startOfDay } from '../../../workflows/calendar';
import {
  BillingStateAttribute,
  CustomerIdAttribute,
  EndReasonAttribute,
  MerchantIdAttribute,
  NextChargeAtAttribute,
  SubscriptionStatusAttribute,
} from '../../../workflows/operating/attributes';

interface ViewOptions {
  uiUrl: string;
  namespace: string;
  merchant_id: string;
  now: Date;
}

const running = (condition: string): string =>
  `WorkflowType = "subscription" AND ExecutionStatus = "Running" AND ${condition}`;

/** Temporal's query language has no "today", so two of the views name a date. */
function queries(merchant_id: string, now: Date): [name: string, query: string][] {
  const today = dayOf(now.getTime());
  const startOf = (day: string): string => formatMoment(startOfDay(day));
  return [
    ['Past due', running(`${SubscriptionStatusAttribute.name} = "past_due"`)],
    [`Overdue on ${today}`, running(`${NextChargeAtAttribute.name} < "${startOf(addDays(today, 1))}"`)],
    ['Waiting for the acquirer', running(`${BillingStateAttribute.name} = "waiting_for_acquirer"`)],
    ['Held', running(`${BillingStateAttribute.name} = "held"`)],
    ['Paused', running(`${BillingStateAttribute.name} = "paused"`)],
    ['One merchant', `${MerchantIdAttribute.name} = "${merchant_id}"`],
    ['One customer', `${CustomerIdAttribute.name} = "CUSTOMER_ID"`],
    ['Failing deliveries', 'WorkflowType = "delivery" AND ExecutionStatus IN ("Running", "Failed")'],
    [
      `Ended on ${today}`,
      `WorkflowType = "subscription" AND ${EndReasonAttribute.name} IS NOT NULL AND CloseTime >= "${startOf(today)}"`,
    ],
  ];
}

export const workflowLists = ({ uiUrl, namespace, merchant_id, now }: ViewOptions): { name: string; url: string }[] =>
  queries(merchant_id, now).map(([name, query]) => ({
    name,
    url: `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows?${new URLSearchParams({ query })}`,
  }));
