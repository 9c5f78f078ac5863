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

const TERMS: Partial<Record<ActionName, (now: number) => Field>> = {
  hold: now => ({
    name: 'until',
    label: t.until,
    type: 'select',
    isOptional: true,
    options: [
      ['', t.untilReleased],
      ...HOURS.map(count => [after(now, count), t.hours(count)] as const),
      [after(now, 7 * 24), t.week],
    ],
  }),
  release: () => ({
    name: 'over_seconds',
    label: t.over,
    type: 'select',
    isOptional: true,
    options: [
      ['', t.byNumber],
      ['0', t.atOnce],
      ...MINUTES.map(count => [String(count * 60), t.minutes(count)] as const),
    ],
  }),
};

const DANGEROUS: readonly ActionName[] = ['suspend', 'hold', 'rebuild'];

interface PreviewProps extends ActionTarget {
  action: ActionName;
  selects: Values;
  showsSteps: (isShown: boolean) => void;
}

function Preview({ action, selects, showsSteps, ...target }: PreviewProps) {
  const preview = useAsk(PREVIEW, previewOf(action, target, selects));
  const isShown = preview.data !== undefined && !preview.problem;
  useEffect(() => showsSteps(isShown), [isShown]);
  return <Shown of={preview}>{data => <Steps steps={required(data.operatorActionPreview).steps} />}</Shown>;
}

interface ActionButtonsProps extends ActionTarget {
  actions: readonly ActionName[];
  reload: () => void;
}

export function ActionButtons({ actions, reload, ...target }: ActionButtonsProps) {
  if (!mayAct('support')) return null;
  return (
    <>
      {actions.map(action => {
        const terms = TERMS[action];
        const hint = action === 'suspend' ? t.shown : t.audited;
        const reason: Field = { name: 'reason', label: t.reason, type: 'textarea', hint };
        return (
          <ChangeButton
            key={action}
            label={t.names[action].button}
            title={t.names[action].title}
            kind={DANGEROUS.includes(action) ? 'danger' : 'plain'}
            preview={(selects, showsSteps) => (
              <Preview action={action} {...target} selects={selects} showsSteps={showsSteps} />
            )}
            fields={openedAt => (terms ? [terms(openedAt), reason] : [reason])}
            run={(values, key) => runAction(action, target, values, key)}
            done={t.names[action].done}
            reload={reload}
          />
        );
      })}
    </>
  );
}
