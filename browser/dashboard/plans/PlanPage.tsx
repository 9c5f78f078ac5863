import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Chip, statusName } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { ProblemNote } from '../../shared/ui/States';
import { omitUndefined } from '../api/omitUndefined';
import { useQuery } from '../api/useQuery';
import { ivaLabel, optionalIvaField } from '../charges/iva';
import { TableSection } from '../lists/TableSection';
import { MetadataSection } from '../metadata/MetadataSection';
import { metadataField, metadataOf } from '../metadata/metadata';
import { ReplacementSection, useReplacement } from '../replacements/Replacement';
import { ReplacePlan } from '../replacements/ReplacePlan';
import { subscriptionsOfPlan } from '../subscriptions/listColumns';
import { ActionButton } from '../ui/ActionButton';
import { DeleteButton } from '../ui/DeleteButton';
import { ObjectPage } from '../ui/ObjectPage';
import { Section } from '../ui/Section';
import { DELETE_PLAN, PLAN, type PlanDetails, type PlanNumbers, UPDATE_PLAN } from './operations';
import { planLabel, planPeriod, scheduleName } from './terms';
import { t } from './texts';

const PLAN_FACTS = [
  ...['amount', 'repeat_every', 'repeat_unit', 'trial_days', 'retry_times', 'retry_schedule', 'iva'],
].map(field => `plan.${field}`);

export function PlanPage({ id }: { id: string }) {
  const loaded = useQuery(PLAN, { id }, { refreshOn: ({ name }) => name.startsWith('subscription.') });
  return (
    <ObjectPage of={loaded}>
      {({ plan, stats }) => (
        <PlanView
          plan={required(plan)}
          numbers={stats?.plans.find(({ plan_id }) => plan_id === id)}
          reload={loaded.reload}
        />
      )}
    </ObjectPage>
  );
}

interface PlanViewProps {
  plan: PlanDetails;
  numbers: PlanNumbers | undefined;
  reload: () => void;
}

function PlanView({ plan, numbers, reload }: PlanViewProps) {
  const rows = plan.subscriptions.edges.map(({ node }) => node);
  const to = `/subscriptions?plan=${plan.id}`;
  const latest = useReplacement(plan.id);
  const replacement = latest.data?.planReplacement;
  const reloadBoth = () => {
    reload();
    latest.reload();
  };
  return (
    <>
      <PageHead
        title={plan.name}
        name={planLabel(plan)}
        action={
          <>
            {latest.data && replacement?.status !== 'running' && <ReplacePlan plan={plan} done={reloadBoth} />}
            {plan.status === 'active' && <PlanActions plan={plan} done={reload} />}
          </>
        }
      >
        {plan.status === 'deleted' && <Chip status="deleted" name={t.deleted} />}
        <span class="hint">
          <Money amount={plan.amount} /> {planPeriod(plan)}
        </span>
      </PageHead>
      {latest.problem && <ProblemNote problem={latest.problem} retry={latest.reload} />}
      {replacement && <ReplacementSection of={replacement} />}
      <Section title={t.facts} fields={PLAN_FACTS}>
        <Facts
          of={[
            [t.amount, <Money key="amount" amount={plan.amount} />],
            [t.period, planPeriod(plan)],
            [ivaLabel, plan.iva],
            [t.trial, t.days(plan.trial_days)],
            [t.retries, plan.retry_times],
            [t.schedule, scheduleName(plan.retry_schedule)],
            [t.after, t.afters[plan.status_after_retry]],
            [t.created, <Moment key="created" at={plan.creation_date} />],
            [t.id, <Id key="id" id={plan.id} />],
          ]}
        />
      </Section>
      <MetadataSection of={plan.metadata} />
      {numbers && (
        <Section title={t.numbers} fields={['stats.plans']}>
          <Facts
            of={[
              ...(['trial', 'active', 'past_due', 'unpaid', 'cancelled'] as const).map(
                status =>
                  [
                    statusName(status),
                    <Link key={status} href={`${to}&status=${status}`}>
                      {numbers[status]}
                    </Link>,
                  ] as const,
              ),
              [t.paused, numbers.paused],
              [t.mrr, <Money key="mrr" amount={numbers.mrr} />],
              [t.gained, numbers.new_subscriptions],
              [t.lost, numbers.lost_subscriptions],
            ]}
          />
        </Section>
      )}
      <TableSection
        label={t.subscriptions}
        columns={subscriptionsOfPlan}
        rows={rows}
        keyOf={({ id }) => id}
        href={({ id }) => `/subscriptions/${id}`}
        empty={t.none}
        all={to}
        fields={['plan.subscriptions']}
      />
    </>
  );
}

function PlanActions({ plan, done }: { plan: PlanDetails; done: () => void }) {
  const { id, name, trial_days } = plan;
  return (
    <>
      <ActionButton
        label={t.edit}
        fields={[
          { name: 'name', label: t.name, value: name },
          { name: 'trial_days', label: t.trialDays, type: 'number', value: trial_days, hint: t.trialHint },
          optionalIvaField(plan.iva),
          metadataField(plan.metadata),
        ]}
        run={async (values, key) => {
          const { name = '', trial_days, iva = '' } = values;
          const metadata = omitUndefined({ metadata: metadataOf(values, plan.metadata) });
          await ask(UPDATE_PLAN, { id, plan: { name, trial_days: Number(trial_days), iva, ...metadata } }, { key });
          return t.saved;
        }}
        done={done}
      />
      <DeleteButton id={id} operation={DELETE_PLAN} list="/plans" texts={t} />
    </>
  );
}
