/** The actions that the status of a subscription allows. */
import { ask } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';
import { formatDay, formatMoney } from '../../shared/format';
import { language } from '../../shared/language';
import { omitUndefined } from '../api/omitUndefined';
import { optionalIvaField } from '../charges/iva';
import { metadataField, metadataOf } from '../metadata/metadata';
import { ChangePlan } from '../pricing/ChangePlan';
import { ActionButton } from '../ui/ActionButton';
import { PauseActions } from './PauseActions';
import { PayerLink } from './PayerLink';
import { t } from './pageTexts';
import { outcomeOf, type Priced } from './subscription';

const UPDATE = graphql(`
  mutation UpdateSubscription($id: ID!, $change: UpdateSubscription!, $language: Language) {
    updateSubscription(subscription_id: $id, subscription: $change) {
      history(language: $language) { entries(first: 1) { nodes { description } } }
    }
  }
`);
const RETRY = graphql(`
  mutation RetrySubscription($id: ID!, $language: Language) {
    retrySubscription(subscription_id: $id) { history(language: $language) { entries(first: 1) { nodes { description } } } }
  }
`);
const CANCEL = graphql(`mutation CancelSubscription($id: ID!) { deleteSubscription(subscription_id: $id) { id } }`);

export function SubscriptionActions({ of, plans, done }: Priced & { done: () => void }) {
  const { id, status, cancel_at_period_end: endsLater, period_end_date, trial_end_date, plan, card } = of;
  // The latest charge is of the unpaid period, whose amount is fixed.
  const owed = of.charges.edges[0]?.node.amount ?? plan.amount;
  if (status === 'cancelled') return null;
  const cards = (of.customer?.cards.edges ?? []).map(({ node }) => node);
  const isOwed = status === 'past_due' || status === 'unpaid';
  const isRetryable = isOwed && of.waiting_for !== 'new_card';
  return (
    <>
      {isRetryable && (
        <ActionButton
          kind="primary"
          label={t.retryNow}
          question={`${t.retryQuestion(formatMoney(owed))}${of.waiting_for === 'payment' ? ` ${t.payersPayment}` : ''}`}
          run={async (_, key) => {
            const { retrySubscription } = await ask(RETRY, { id, language }, { key });
            return outcomeOf(retrySubscription);
          }}
          done={done}
        />
      )}
      {cards.length > 0 && (
        <ActionButton
          label={t.changeCard}
          question={t.changeCardQuestion}
          fields={[
            {
              name: 'source_id',
              label: t.cardField,
              type: 'select',
              value: card.id ?? '',
              options: cards.map(({ id, card_number, brand }) => [id, `${brand} ${card_number.slice(-4)}`] as const),
            },
          ]}
          run={async ({ source_id = '' }, key) => {
            const { updateSubscription } = await ask(UPDATE, { id, change: { source_id }, language }, { key });
            return isOwed ? outcomeOf(updateSubscription) : t.cardChanged;
          }}
          done={done}
        />
      )}
      {status === 'trial' && (
        <ActionButton
          label={t.changeTrial}
          fields={[
            { name: 'trial_end_date', label: t.trialField, type: 'date', value: trial_end_date, hint: t.trialHint },
          ]}
          run={async ({ trial_end_date = '' }, key) => {
            await ask(UPDATE, { id, change: { trial_end_date } }, { key });
            return t.trialChanged;
          }}
          done={done}
        />
      )}
      <ChangePlan of={of} plans={plans} done={done} />
      <PauseActions of={of} done={done} />
      <PayerLink id={id} />
      <ActionButton
        label={t.changeNotes}
        fields={[{ ...optionalIvaField(of.iva), hint: t.ivaHint }, metadataField(of.metadata)]}
        run={async (values, key) => {
          const change = { iva: values.iva ?? '', ...omitUndefined({ metadata: metadataOf(values, of.metadata) }) };
          await ask(UPDATE, { id, change }, { key });
          return t.saved;
        }}
        done={done}
      />
      <ActionButton
        label={endsLater ? t.goOn : t.endLater}
        question={endsLater ? t.goOnQuestion : t.endLaterQuestion(formatDay(period_end_date))}
        run={async (_, key) => {
          await ask(UPDATE, { id, change: { cancel_at_period_end: !endsLater } }, { key });
          return endsLater ? t.goingOn : t.endingLater;
        }}
        done={done}
      />
      <ActionButton
        kind="danger"
        label={t.cancel}
        question={t.cancelQuestion}
        run={async (_, key) => {
          await ask(CANCEL, { id }, { key });
          return t.cancelled;
        }}
        done={done}
      />
    </>
  );
}
