/**
 * A button with a confirmation dialog. API errors are shown under their fields, which keep their values. A repeated
 * submission after an unknown outcome is sent with the same idempotency key, even if the dialog was closed meanwhile. If the
 * action requires the private key again, the dialog asks for it, and signs in with it before it repeats the action.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../../shared/api/ask';
import { useRequestKey } from '../../shared/api/useRequestKey';
import { pick } from '../../shared/language';
import { signInTexts } from '../../shared/signInTexts';
import { Button } from '../../shared/ui/Button';
import { type Field, FieldInput, focusInvalid, initialValue, type Values } from '../../shared/ui/FieldInput';
import { notify } from '../../shared/ui/notices';
import { ProblemNote } from '../../shared/ui/States';
import { onPrimaryActionRequest } from '../shell/overlays';
import { canWrite, signIn } from '../shell/session';
import { ActionPreview, type PreviewOf, usePreview } from './ActionPreview';

const t = pick({
  es: {
    cancel: 'Ahora no',
    more: 'Más opciones',
    key: 'Confirma que eres tú. La llave solo se usa para iniciar sesión y no se guarda.',
  },
  en: {
    cancel: 'Not now',
    more: 'More options',
    key: 'Confirm that it is you. The key is only used to sign in, and is not stored.',
  },
});

/** Its value only signs in; the action does not get it. */
const PRIVATE_KEY: Field = { name: 'private_key', label: signInTexts.privateKey, type: 'password', hint: t.key };

export type { Field, Values };

interface ActionButtonProps {
  label: string;
  kind?: 'primary' | 'plain' | 'danger';
  title?: string;
  /** Shown above the fields. */
  question?: ComponentChildren;
  /** The question and the button for the values, in place of `question` and `label`. */
  describe?: (values: Values) => { question: string; button: string } | undefined;
  fields?: readonly Field[];
  /** The effect of the values, shown above the button, which is disabled until then. */
  preview?: PreviewOf;
  /** `key` is the idempotency key. A returned string is shown as a notice, other content in the dialog. */
  run: (values: Values, key: string) => Promise<string | undefined | ComponentChildren>;
  done?: () => void;
}

export function ActionButton({
  label,
  kind = 'plain',
  title = label,
  question,
  describe,
  fields = [],
  preview,
  run,
  done,
}: ActionButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [opened, setOpened] = useState('');
  const requestKey = useRequestKey();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ComponentChildren>(undefined);
  const [entered, setEntered] = useState<Values | undefined>();
  const [needsKey, setNeedsKey] = useState(false);
  useEffect(() => {
    if (kind !== 'primary' || !canWrite()) return;
    return onPrimaryActionRequest(open);
  }, []);
  useEffect(() => focusInvalid(problem ? dialog.current : null), [problem]);
  if (!canWrite()) return null;

  function open(): void {
    setOpened(crypto.randomUUID());
    setProblem(undefined);
    setAnswer(undefined);
    setEntered(undefined);
    setNeedsKey(false);
    dialog.current?.showModal();
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    const values: Values = {};
    for (const [name, value] of entries) {
      const text = String(value).trim();
      values[name] = name in values ? `${values[name]},${text}` : text;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      const { private_key, ...rest } = values;
      const input = needsKey ? rest : values;
      if (needsKey && private_key) {
        if (!(await signIn(private_key, false)))
          throw new Problem(signInTexts.wrongKey, undefined, undefined, PRIVATE_KEY.name);
        setNeedsKey(false);
      }
      const result = await run(input, requestKey.keyOf(input));
      requestKey.renew();
      if (result && typeof result !== 'string') setAnswer(result);
      else dialog.current?.close();
      if (typeof result === 'string') notify(result);
      done?.();
    } catch (error) {
      const refused = requestKey.refused(error);
      setProblem(refused);
      setNeedsKey(needed => needed || refused.cause_code === 'private_key_again');
    }
    setBusy(false);
  };
  const values = entered ?? formValues(fields);
  const previewed = usePreview(preview, opened && answer === undefined ? values : undefined);
  const fieldError = (name: string): string | undefined => errorAt(name, problem ?? previewed.problem);
  const enter = ({ target, currentTarget }: InputEvent): void => {
    if (!preview && !(target instanceof HTMLSelectElement)) return;
    setEntered(formValues(fields, currentTarget as HTMLFormElement));
    if (preview) setProblem(undefined);
  };
  const described = describe?.(values);
  const asked = described?.question ?? question;
  const shown = fields.filter(isShownWith(values));
  const further = shown.filter(({ isFurther }) => isFurther);
  const input = (field: Field) => <FieldInput key={field.name} field={field} problem={fieldError(field.name)} />;
  const isAtField = [...shown, PRIVATE_KEY].some(({ name }) => fieldError(name) !== undefined);

  return (
    <>
      <Button type="button" kind={kind} onClick={open}>
        {label}
      </Button>
      {/* Closing discards the content, which may be a secret. While busy it cannot be closed: `closedby` also prevents the
          second Escape, which `cancel` cannot. */}
      <dialog
        ref={dialog}
        class="card"
        aria-label={title}
        closedby={isBusy ? 'none' : 'closerequest'}
        onCancel={event => isBusy && event.preventDefault()}
        onClose={() => setOpened('')}
      >
        {opened && (
          <form key={opened} method="dialog" onSubmit={submit} onInput={enter}>
            <h2>{title}</h2>
            {answer ?? (
              <>
                {asked && <p class="hint">{asked}</p>}
                {problem && !isAtField && <ProblemNote problem={problem} />}
                {shown.filter(({ isFurther }) => !isFurther).map(input)}
                {further.length > 0 && (
                  <details
                    open={further.some(({ name }) => fieldError(name) !== undefined) || undefined}
                    onInvalidCapture={({ currentTarget }) => {
                      currentTarget.open = true;
                    }}
                  >
                    <summary>{t.more}</summary>
                    <div>{further.map(input)}</div>
                  </details>
                )}
                {preview && <ActionPreview of={previewed} isAtField={isAtField} />}
                {needsKey && <FieldInput field={PRIVATE_KEY} problem={fieldError(PRIVATE_KEY.name)} />}
              </>
            )}
            <div class="actions">
              <Button type="button" disabled={isBusy} onClick={() => dialog.current?.close()}>
                {answer ? 'OK' : t.cancel}
              </Button>
              {!answer && (
                <Button
                  kind={kind === 'danger' ? 'danger' : 'primary'}
                  isBusy={isBusy}
                  disabled={preview !== undefined && !previewed.isCurrent}
                >
                  {previewed.button ?? described?.button ?? label}
                </Button>
              )}
            </div>
          </form>
        )}
      </dialog>
    </>
  );
}

/** A field that its form does not show has its initial value. */
function formValues(fields: readonly Field[], form?: HTMLFormElement): Values {
  const entries = form && new FormData(form);
  return Object.fromEntries(
    fields.map(field => {
      const entered = form?.elements.namedItem(field.name) ? entries?.getAll(field.name).join().trim() : undefined;
      return [field.name, entered ?? initialValue(field)];
    }),
  );
}

/** The message at a field, which may be nested in the input of the request. */
const errorAt = (name: string, problem: Problem | undefined): string | undefined =>
  [...(problem?.fields ?? []), [problem?.field ?? '', problem?.message] as const].find(
    ([field]) => field === name || field.endsWith(`.${name}`),
  )?.[1];

const isShownWith =
  (values: Values) =>
  ({ onlyWith }: Field): boolean =>
    !onlyWith || onlyWith.slice(1).includes(values[onlyWith[0]] ?? '');
