import { useLocation } from 'wouter-preact';
import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Id } from '../../shared/ui/Facts';
import { Moment, Money, Whole } from '../../shared/ui/Figures';
import { omitUndefined } from '../api/omitUndefined';
import { ivaLabel, optionalIvaField } from '../charges/iva';
import { type Column, type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { spanOf } from '../lists/span';
import { metadataFilter, metadataIn } from '../metadata/filter';
import { metadataField, metadataOf } from '../metadata/metadata';
import { ActionButton, type Values } from '../ui/ActionButton';
import { CREATE_PLAN, PLANS, type PlanFacts, type PlanNumbers } from './operations';
import { planPeriod, scheduleName, typedSchedule } from './terms';
import { t } from './texts';

type PlanRow = PlanFacts & { numbers?: PlanNumbers | undefined };

const columns: Column<PlanRow>[] = [
  { key: 'name', name: t.name, cell: ({ name }) => name, text: ({ name }) => name },
  {
    key: 'amount',
    name: t.amount,
    cell: ({ amount }) => <Money amount={amount} />,
    text: ({ amount }) => amount,
    isNumber: true,
  },
  { key: 'period', name: t.period, cell: row => <Whole>{planPeriod(row)}</Whole>, text: planPeriod },
  {
    key: 'trial',
    name: t.trial,
    cell: ({ trial_days }) => <Whole>{t.days(trial_days)}</Whole>,
    text: ({ trial_days }) => trial_days,
  },
  {
    key: 'active',
    name: t.active,
    cell: ({ numbers }) => numbers?.active,
    text: ({ numbers }) => numbers?.active,
    isNumber: true,
  },
  {
    key: 'mrr',
    name: t.mrr,
    cell: ({ numbers }) => numbers && <Money amount={numbers.mrr} />,
    text: ({ numbers }) => numbers?.mrr,
    isNumber: true,
  },
  {
    key: 'retries',
    name: t.retries,
    cell: ({ retry_times }) => retry_times,
    text: ({ retry_times }) => retry_times,
    isNumber: true,
    isFurther: true,
  },
  {
    key: 'schedule',
    name: t.schedule,
    cell: ({ retry_schedule }) => scheduleName(retry_schedule),
    text: ({ retry_schedule }) => String(retry_schedule),
    isFurther: true,
  },
  {
    key: 'after',
    name: t.after,
    cell: ({ status_after_retry }) => t.afters[status_after_retry],
    text: ({ status_after_retry }) => status_after_retry,
    isFurther: true,
  },
  { key: 'iva', name: ivaLabel, cell: ({ iva }) => iva, text: ({ iva }) => iva, isFurther: true },
  {
    key: 'created',
    name: t.created,
    cell: ({ creation_date }) => <Moment at={creation_date} />,
    text: ({ creation_date }) => creation_date,
    isFurther: true,
  },
  { key: 'id', name: t.id, cell: ({ id }) => <Id id={id} />, text: ({ id }) => id, isFurther: true },
];

const list: ListDefinition<PlanRow> = {
  path: '/plans',
  title: t.title,
  about: t.about,
  columns,
  filters: [{ key: 'created', name: t.created, kind: 'days' }, metadataFilter],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/plans/${id}`,
  load: async ({ created, metadata }, page, signal) => {
    const variables = omitUndefined({ metadata: metadataIn(metadata), ...spanOf(created) });
    const answer = await ask(PLANS, { ...variables, ...windowOf(page) }, { signal });
    const { rows, ...rest } = pageOfConnection(required(answer.plans));
    const numbers = new Map(answer.stats?.plans.map(plan => [plan.plan_id, plan]));
    return { ...rest, rows: rows.map(plan => ({ ...plan, numbers: numbers.get(plan.id) })) };
  },
  refreshOn: ({ name }) => name.startsWith('subscription.'),
};

export function PlansList() {
  const [, navigate] = useLocation();
  const create = async (values: Values, key: string) => {
    const plan = {
      name: values.name ?? '',
      amount: asEntered(values.amount),
      repeat_every: Number(values.repeat_every),
      repeat_unit: values.repeat_unit as PlanFacts['repeat_unit'],
      trial_days: Number(values.trial_days),
      ...(values.retry_times && { retry_times: Number(values.retry_times) }),
      retry_schedule: typedSchedule(values.retry_schedule ?? 'daily', values.retry_days),
      status_after_retry: values.status_after_retry as PlanFacts['status_after_retry'],
      ...omitUndefined({ iva: values.iva || undefined, metadata: metadataOf(values) }),
    };
    const { createPlan } = await ask(CREATE_PLAN, { plan }, { key });
    navigate(`/plans/${required(createPlan).id}`);
    return t.made;
  };
  const action = (
    <ActionButton
      label={t.create}
      kind="primary"
      question={t.createHint}
      fields={[
        { name: 'name', label: t.name },
        { name: 'amount', label: t.amount, type: 'amount' },
        { name: 'repeat_every', label: t.count, type: 'number', value: 1 },
        { name: 'repeat_unit', label: t.unit, type: 'select', value: 'month', options: Object.entries(t.units) },
        { name: 'trial_days', label: t.trialDays, type: 'number', value: 0 },
        {
          name: 'retry_schedule',
          label: t.schedule,
          type: 'select',
          options: [...Object.entries(t.schedules), ['days', t.fixedDays]],
          hint: t.scheduleHint,
        },
        {
          name: 'retry_times',
          label: t.retries,
          type: 'number',
          value: 3,
          onlyWith: ['retry_schedule', 'daily', 'paydays'],
        },
        { name: 'retry_days', label: t.retryDays, hint: t.retryDaysHint, onlyWith: ['retry_schedule', 'days'] },
        { name: 'status_after_retry', label: t.after, type: 'select', options: Object.entries(t.afters) },
        optionalIvaField(),
        metadataField(),
      ]}
      run={create}
    />
  );
  return <ListPage of={list} action={action} />;
}
