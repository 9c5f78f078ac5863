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
  /** Shows the steps for these values of the selects. Without steps the change cannot be confirmed. */
  preview: (selects: Values, showsSteps: (isShown: boolean) => void) => ComponentChildren;
  fields: (openedAt: number) => readonly Field[];
  run: (values: Values, key: string) => Promise<unknown>;
  /** The notice after the change. */
  done: string;
  reload: () => void;
}

export function ChangeButton({ label, title, kind = 'plain', preview, fields, run, done, reload }: ChangeButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const requestKey = useRequestKey();
  const [openedAt, setOpenedAt] = useState<number | undefined>();
  const [selects, setSelects] = useState<Values>({});
  const [hasSteps, setHasSteps] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => focusInvalid(problem ? dialog.current : null), [problem]);

  function open(): void {
    setOpenedAt(Date.now());
    setSelects({});
    setHasSteps(false);
    setProblem(undefined);
    dialog.current?.showModal();
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget as HTMLFormElement)];
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
  const select = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) setSelects({ ...selects, [target.name]: target.value });
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
          <form key={openedAt} method="dialog" onSubmit={submit} onChange={select}>
            <h2>{title}</h2>
            {preview(selects, setHasSteps)}
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
