/** Starts a bulk action after its preview. */
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import type { Field, Values } from '../../shared/ui/FieldInput';
import { Shown } from '../../shared/ui/States';
import { ChangeButton, Steps } from '../actions/ChangeButton';
import { LinkedText } from '../shell/ObjectId';
import { useAsk } from '../shell/useAsk';
import { mayAct } from '../state';
import { environmentName } from '../texts';
import { type BulkActionName, type BulkTarget, PREVIEW, START } from './operations';
import { t } from './texts';

const ACTIONS: readonly BulkActionName[] = ['hold', 'release', 'retry', 'ask_acquirer'];
const RATES = [1, 5, 10, 20, 50];

const fields = (): Field[] => [
  {
    name: 'action',
    label: t.action,
    type: 'select',
    options: [...ACTIONS, ...(mayAct('admin') ? (['cancel'] as const) : [])].map(name => [name, t.actions[name]]),
  },
  {
    name: 'environment',
    label: t.environment,
    type: 'select',
    options: ['sandbox', 'production'].map(name => [name, environmentName(name)]),
  },
  { name: 'query', label: t.query, hint: t.queryHint },
  { name: 'rate', label: t.rate, type: 'select', value: 5, options: RATES.map(rate => [`${rate}`, `${rate}`]) },
  { name: 'reason', label: t.reason, type: 'textarea', hint: t.audited },
];

const targetOf = ({ action, environment, query = '', rate }: Values): BulkTarget => ({
  action: (action ?? 'hold') as BulkActionName,
  environment: environment === 'production' ? 'production' : 'sandbox',
  query: query.trim(),
  rate: Number(rate ?? 5),
});

interface PreviewProps {
  entered: Values;
  showsSteps: (isShown: boolean) => void;
}

function Preview({ entered, showsSteps }: PreviewProps) {
  const target = targetOf(entered);
  const preview = useAsk(PREVIEW, target, target.query !== '');
  const isShown = preview.data !== undefined && !preview.problem;
  useEffect(() => showsSteps(isShown), [isShown, JSON.stringify(entered)]);
  if (target.query === '') return <p class="hint">{t.writeQuery}</p>;
  return (
    <Shown of={preview}>
      {data => {
        const { steps, subscription_ids } = required(data.bulkActionPreview);
        return (
          <>
            <Steps steps={steps} />
            {subscription_ids.length > 0 && (
              <p class="hint">
                {t.first}: <LinkedText text={subscription_ids.join(', ')} />
              </p>
            )}
          </>
        );
      }}
    </Shown>
  );
}

export function StartButton() {
  const [, navigate] = useLocation();
  const started = useRef('');
  return (
    <ChangeButton
      label={t.start}
      title={t.startTitle}
      kind="danger"
      preview={(entered, showsSteps) => <Preview entered={entered} showsSteps={showsSteps} />}
      fields={fields}
      run={async (values, key) => {
        const variables = { ...targetOf(values), reason: values.reason ?? '' };
        started.current = required((await ask(START, variables, { session: 'operator', key })).startBulkAction).id;
      }}
      done={t.started}
      reload={() => navigate(`/bulk/${started.current}`)}
    />
  );
}
