/** Saved views of the Temporal UI. Each is a link: whoever opens it has the view in the list of their browser. */
import { addDays, dayOf, formatMoment, startOfDay } from '../../../workflows/calendar';
import {
  BillingStateAttribute,
  CustomerIdAttribute,
  EndReasonAttribute,
  MerchantIdAttribute,
  NextChargeAtAttribute,
  SubscriptionStatusAttribute,
} from '../../../workflows/operating/attributes';

interface ViewsOf {
  uiUrl: string;
  namespace: string;
  merchant_id: string;
  now: Date;
}

const running = (condition: string): string =>
  `WorkflowType = "subscription" AND ExecutionStatus = "Running" AND ${condition}`;

/** The language of these queries has no word for today, so that two of them are of a day and carry it in their name. */
function queries(merchant_id: string, now: Date): [name: string, query: string][] {
  const today = dayOf(now.getTime());
  const startOf = (day: string): string => formatMoment(startOfDay(day));
  return [
    ['Past due', running(`${SubscriptionStatusAttribute.name} = "past_due"`)],
    [`Due by ${today} and not done`, running(`${NextChargeAtAttribute.name} < "${startOf(addDays(today, 1))}"`)],
    ['Waiting for the acquirer', running(`${BillingStateAttribute.name} = "waiting_for_acquirer"`)],
    ['Paused', running(`${BillingStateAttribute.name} = "paused"`)],
    ['One merchant', `${MerchantIdAttribute.name} = "${merchant_id}"`],
    ['One customer', `${CustomerIdAttribute.name} = "put its id here"`],
    ['Failing deliveries', 'WorkflowType = "delivery" AND ExecutionStatus IN ("Running", "Failed")'],
    [
      `Ended on ${today}, and why`,
      `WorkflowType = "subscription" AND ${EndReasonAttribute.name} IS NOT NULL AND CloseTime >= "${startOf(today)}"`,
    ],
  ];
}

export const savedViews = ({ uiUrl, namespace, merchant_id, now }: ViewsOf): { name: string; url: string }[] =>
  queries(merchant_id, now).map(([name, query]) => ({
    name,
    url: `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows?${new URLSearchParams({ query, savedQuery: name })}`,
  }));
