/**
 * A button with a dialog: what will happen, a reason, and the confirmation. A repeated submission after an unknown outcome
 * is sent with the same idempotency key, even if the dialog was closed meanwhile.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../shared/api/ask';
import { useRequestKey } from '../../shared/api/useRequestKey';
import { Button } from '../../shared/ui/Button';
import { type Field, FieldInput, focusInvalid, type Values } from '../../shared/ui/FieldInput';
import { notify } from '../../shared/ui/notices';
import { ProblemNote } from '../../shared/ui/States';
import { t } from './texts';

interface ChangeButtonProps {
  label: string;
  title: string;
  kind?: 'primary' | 'plain' | 'danger';
  /** Shows the steps for these values of inputs and selects. Without steps the change cannot be confirmed. */
  preview: (entered: Values, showsSteps: (isShown: boolean) => void) => ComponentChildren;
  fields: (openedAt: number) => readonly Field[];
  run: (values: Values, key: string) => Promise<unknown>;
  /** The notice after the change. */
  done: string;
  reload: () => void;
}

/** A reason does not change the steps. */
const enteredIn = (form: HTMLFormElement): Values =>
  Object.fromEntries(
    [...form.querySelectorAll<HTMLInputElement>('input, select')].map(({ name, value }) => [name, value]),
  );

export function ChangeButton({ label, title, kind = 'plain', preview, fields, run, done, reload }: ChangeButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const requestKey = useRequestKey();
  const [openedAt, setOpenedAt] = useState<number | undefined>();
  const [entered, setEntered] = useState<Values>({});
  /** The values whose steps are shown, as text. */
  const [stepsFor, setStepsFor] = useState<string | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => focusInvalid(problem ? dialog.current : null), [problem]);
  useEffect(() => {
    const form = dialog.current?.querySelector('form');
    if (form) setEntered(enteredIn(form));
  }, [openedAt]);

  function open(): void {
    setOpenedAt(Date.now());
    setEntered({});
    setStepsFor(undefined);
    setProblem(undefined);
    dialog.current?.showModal();
  }
  const enteredText = JSON.stringify(entered);
  const hasSteps = stepsFor === enteredText;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    // The Enter key submits before the steps for the last input are shown.
    const latest = enteredIn(form);
    if (!hasSteps || JSON.stringify(latest) !== enteredText) return setEntered(latest);
    const entries = [...new FormData(form)];
    const values: Values = Object.fromEntries(entries.map(([name, value]) => [name, String(value).trim()]));
    setBusy(true);
    setProblem(undefined);
    try {
      await run(values, requestKey.keyOf(values));
      requestKey.renew();
      dialog.current?.close();
      notify(done);
      reload();
    } catch (error) {
      setProblem(requestKey.refused(error));
    }
    setBusy(false);
  };
  const problemOf = (name: string): string | undefined => (problem?.field === name ? problem.message : undefined);
  const shownFields = openedAt === undefined ? [] : fields(openedAt);
  const isElsewhere = problem && !shownFields.some(({ name }) => name === problem.field);

  return (
    <>
      <Button type="button" kind={kind} onClick={open}>
        {label}
      </Button>
      {/* While busy it cannot be closed: `closedby` also prevents the second Escape, which `cancel` cannot. */}
      <dialog
        ref={dialog}
        class="card change"
        aria-label={title}
        closedby={isBusy ? 'none' : 'closerequest'}
        onCancel={event => isBusy && event.preventDefault()}
        onClose={() => setOpenedAt(undefined)}
      >
        {openedAt !== undefined && (
          <form
            key={openedAt}
            method="dialog"
            onSubmit={submit}
            onChange={event => setEntered(enteredIn(event.currentTarget))}
          >
            <h2>{title}</h2>
            {preview(entered, isShown => setStepsFor(isShown ? enteredText : undefined))}
            {isElsewhere && <ProblemNote problem={problem} />}
            {shownFields.map(field => (
              <FieldInput key={field.name} field={field} problem={problemOf(field.name)} />
            ))}
            <div class="actions">
              <Button type="button" disabled={isBusy} onClick={() => dialog.current?.close()}>
                {t.back}
              </Button>
              <Button kind={kind === 'danger' ? 'danger' : 'primary'} isBusy={isBusy} disabled={!hasSteps}>
                {label}
              </Button>
            </div>
          </form>
        )}
      </dialog>
    </>
  );
}

export const Steps = ({ steps }: { steps: readonly string[] }) => (
  <section class="steps" aria-label={t.steps}>
    <h3>{t.steps}</h3>
    <ol>
      {steps.map(step => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </section>
);
