/** The changes that are possible for an object, as buttons for operators who may make them. */
import { useEffect } from 'preact/hooks';
import { required } from '../../shared/api/required';
import type { Field, Values } from '../../shared/ui/FieldInput';
import { Shown } from '../../shared/ui/States';
import { useAsk } from '../shell/useAsk';
import { mayAct } from '../state';
import { ChangeButton, Steps } from './ChangeButton';
import { type ActionName, type ActionTarget, PREVIEW, previewOf, runAction } from './operations';
import { t } from './texts';

const MINUTES = [10, 60, 120];
const HOURS = [1, 8, 24];
const HOUR_MS = 3_600_000;

const after = (now: number, hours: number): string => new Date(now + hours * HOUR_MS).toISOString();

const TERMS: Partial<Record<ActionName, (now: number) => Field[]>> = {
  hold: now => [
    {
      name: 'until',
      label: t.until,
      type: 'select',
      isOptional: true,
      options: [
        ['', t.untilReleased],
        ...HOURS.map(count => [after(now, count), t.hours(count)] as const),
        [after(now, 7 * 24), t.week],
      ],
    },
  ],
  release: () => [
    {
      name: 'over_seconds',
      label: t.over,
      type: 'select',
      isOptional: true,
      options: [
        ['', t.byNumber],
        ['0', t.atOnce],
        ...MINUTES.map(count => [String(count * 60), t.minutes(count)] as const),
      ],
    },
  ],
  costs: () => [
    { name: 'rate', label: t.rate, type: 'number' },
    { name: 'fixed', label: t.fixed, type: 'amount' },
  ],
  reserve: () => [{ name: 'amount', label: t.reserve, type: 'amount' }],
  pay: () => [
    { name: 'amount', label: t.amount, type: 'amount' },
    { name: 'description', label: t.description, isOptional: true },
  ],
};

const DANGEROUS: readonly ActionName[] = ['suspend', 'hold', 'rebuild', 'drain'];
const OF_ADMINS: readonly ActionName[] = ['costs', 'reserve', 'pay'];
const SHOWN_TO_MERCHANT: readonly ActionName[] = ['suspend', ...OF_ADMINS];

interface PreviewProps extends ActionTarget {
  action: ActionName;
  entered: Values;
  showsSteps: (isShown: boolean) => void;
}

function Preview({ action, entered, showsSteps, ...target }: PreviewProps) {
  const preview = useAsk(PREVIEW, previewOf(action, target, entered));
  const isShown = preview.data !== undefined && !preview.problem;
  useEffect(() => showsSteps(isShown), [isShown, JSON.stringify(entered)]);
  return <Shown of={preview}>{data => <Steps steps={required(data.operatorActionPreview).steps} />}</Shown>;
}

interface ActionButtonsProps extends ActionTarget {
  actions: readonly ActionName[];
  /** The present values of the fields. */
  values?: Values;
  reload: () => void;
}

export function ActionButtons({ actions, values: present = {}, reload, ...target }: ActionButtonsProps) {
  const allowed = actions.filter(action => mayAct(OF_ADMINS.includes(action) ? 'admin' : 'support'));
  return (
    <>
      {allowed.map(action => {
        const hint = SHOWN_TO_MERCHANT.includes(action) ? t.shown : t.audited;
        const withValue = (field: Field): Field => ({ ...field, value: present[`${action}.${field.name}`] ?? '' });
        const reason: Field = { name: 'reason', label: t.reason, type: 'textarea', hint };
        return (
          <ChangeButton
            key={action}
            label={t.names[action].button}
            title={t.names[action].title}
            kind={DANGEROUS.includes(action) ? 'danger' : 'plain'}
            preview={(entered, showsSteps) => (
              <Preview action={action} {...target} entered={entered} showsSteps={showsSteps} />
            )}
            fields={openedAt => [...(TERMS[action]?.(openedAt) ?? []).map(withValue), reason]}
            run={(values, key) => runAction(action, target, values, key)}
            done={t.names[action].done}
            reload={reload}
          />
        );
      })}
    </>
  );
}
