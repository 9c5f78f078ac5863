/** Pauses and resumes a subscription, with what would be charged shown before. */
import { ask } from '../../shared/api/ask';
import { graphql, type VariablesOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { formatDay, formatMoney } from '../../shared/format';
import { language } from '../../shared/language';
import { ActionButton } from '../ui/ActionButton';
import { t } from './pageTexts';
import { outcomeOf, type SubscriptionDetails } from './subscription';

const PAUSE = graphql(`
  mutation PauseSubscription($id: ID!, $pause: PauseSubscription!) {
    pauseSubscription(subscription_id: $id, pause: $pause) { id }
  }
`);
const RESUME = graphql(`
  mutation ResumeSubscription($id: ID!, $language: Language) {
    resumeSubscription(subscription_id: $id) {
      status
      history(language: $language) { entries(first: 1) { nodes { description } } }
    }
  }
`);
const PREVIEW = graphql(`
  query PreviewChange($id: ID!, $change: PreviewedChange!) {
    previewSubscriptionChange(subscription_id: $id, change: $change) {
      charge_now next_charge_date charges { charge_date amount }
    }
  }
`);

async function describeChange(id: string, change: VariablesOf<typeof PREVIEW>['change'], signal: AbortSignal) {
  const { previewSubscriptionChange } = await ask(PREVIEW, { id, change }, { signal });
  const { charge_now, charges } = required(previewSubscriptionChange);
  if (charge_now > 0) return { shown: t.chargedNow(formatMoney(charge_now)) };
  const [next] = charges;
  return { shown: next ? t.chargedNext(formatDay(next.charge_date), formatMoney(next.amount)) : t.chargedNever };
}

export function PauseActions({ of, done }: { of: SubscriptionDetails; done: () => void }) {
  const { id, status, pause } = of;
  if (pause)
    return (
      <ActionButton
        label={t.resume}
        preview={(_, signal) => describeChange(id, { resume: true }, signal)}
        run={async (_, key) => {
          const { resumeSubscription } = await ask(RESUME, { id, language }, { key });
          return resumeSubscription?.status === 'past_due' ? outcomeOf(resumeSubscription) : t.resumed;
        }}
        done={done}
      />
    );
  if (status !== 'trial' && status !== 'active') return null;
  return (
    <ActionButton
      label={t.doPause}
      question={t.pauseQuestion}
      fields={[{ name: 'resume_date', label: t.resumeField, type: 'date', hint: t.resumeHint, isOptional: true }]}
      preview={({ resume_date }, signal) => describeChange(id, { pause: { resume_date: resume_date || null } }, signal)}
      run={async ({ resume_date }, key) => {
        await ask(PAUSE, { id, pause: { resume_date: resume_date || null } }, { key });
        return t.pauseRequested;
      }}
      done={done}
    />
  );
}
