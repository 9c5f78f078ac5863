/** The columns of subscriptions in all lists. */
import { graphql, type ResultOf } from '../../shared/api/graphql';
import { toCentavos } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { Id } from '../../shared/ui/Facts';
import { Day, Moment, Money, Whole } from '../../shared/ui/Figures';
import type { Column } from '../lists/definition';
import { planLabel } from '../plans/terms';
import { cardName, fullName } from '../ui/names';
import { t } from './listTexts';
import { nextCharge } from './nextCharge';

export const SUBSCRIPTION_ROW = graphql(`
  fragment SubscriptionRow on CustomerSubscription {
    id status charge_date creation_date current_period_number next_retry_date retries_left cancel_at_period_end quantity credit_balance
    pause { resume_date }
    customer { name last_name }
    plan { name amount repeat_every repeat_unit }
    card { brand card_number }
  }
`);
export type SubscriptionRow = ResultOf<typeof SUBSCRIPTION_ROW>;

const customerName = ({ customer }: SubscriptionRow): string => (customer ? fullName(customer) : t.gone);
const day = (on: string | null | undefined) => on && <Day on={on} />;
const planName = ({ plan, quantity }: SubscriptionRow): string => planLabel(plan, quantity);
const priceOf = ({ plan, quantity }: SubscriptionRow): number => toCentavos(plan.amount * quantity);
const cardOf = ({ card }: SubscriptionRow): string => cardName(card);

export const subscriptionColumns: readonly Column<SubscriptionRow>[] = [
  { key: 'customer', name: t.customer, cell: customerName, text: customerName },
  { key: 'plan', name: t.plan, cell: planName, text: planName },
  { key: 'status', name: t.status, cell: ({ status }) => <Chip status={status} />, text: ({ status }) => status },
  { key: 'next', name: t.next, cell: row => day(nextCharge(row)), text: nextCharge },
  {
    key: 'amount',
    name: t.amount,
    cell: row => <Money amount={priceOf(row)} />,
    text: priceOf,
    isNumber: true,
  },
  { key: 'card', name: t.card, cell: row => <Whole>{cardOf(row)}</Whole>, text: cardOf },
  {
    key: 'created',
    name: t.created,
    cell: ({ creation_date }) => <Moment at={creation_date} />,
    text: ({ creation_date }) => creation_date,
    isFurther: true,
  },
  {
    key: 'period',
    name: t.period,
    cell: ({ current_period_number }) => current_period_number,
    text: ({ current_period_number }) => current_period_number,
    isNumber: true,
    isFurther: true,
  },
  {
    key: 'retry',
    name: t.retry,
    cell: ({ next_retry_date }) => day(next_retry_date),
    text: ({ next_retry_date }) => next_retry_date,
    isFurther: true,
  },
  {
    key: 'left',
    name: t.left,
    cell: ({ retries_left }) => retries_left,
    text: ({ retries_left }) => retries_left,
    isNumber: true,
    isFurther: true,
  },
  {
    key: 'ends',
    name: t.ends,
    cell: ({ cancel_at_period_end }) => (cancel_at_period_end ? t.yes : t.no),
    text: ({ cancel_at_period_end }) => String(cancel_at_period_end),
    isFurther: true,
  },
  {
    key: 'credit',
    name: t.credit,
    cell: ({ credit_balance }) => credit_balance !== null && <Money amount={credit_balance} />,
    text: ({ credit_balance }) => credit_balance,
    isNumber: true,
    isFurther: true,
  },
  { key: 'id', name: t.id, cell: ({ id }) => <Id id={id} />, text: ({ id }) => id, isFurther: true },
];

const pickColumns = (...keys: string[]) =>
  keys.flatMap(key => subscriptionColumns.filter(column => column.key === key));

export const subscriptionsOfCustomer = pickColumns('plan', 'status', 'next', 'amount', 'card');
export const subscriptionsOfPlan = pickColumns('customer', 'status', 'next', 'card', 'created');
