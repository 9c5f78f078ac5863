/**
 * A button that does something, after asking in a dialog: what is to be filled in, and what will happen. What the API
 * refuses is said under its field, with everything still there. A press that is repeated because nobody knows what became
 * of the last one is the same request, by its key, also after the dialog was closed; other values, or another try after
 * a refusal, are another one.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/ask';
import { pick } from '../language';
import { onPrimaryWanted } from '../shell/overlays';
import { mayChange } from '../shell/session';
import { Button } from './Button';
import { type Field, FieldInput, focusInvalid, type Values } from './FieldInput';
import { notify } from './notices';
import { ProblemNote } from './States';
import { useRequestKey } from './useRequestKey';

const t = pick({ es: { cancel: 'Ahora no', yes: 'Sí' }, en: { cancel: 'Not now', yes: 'Yes' } });

export type { Field, Values };

interface ActionButtonProps {
  /** What the button says: what happens. */
  label: string;
  kind?: 'primary' | 'plain' | 'danger';
  title?: string;
  /** What is asked before, besides the fields. */
  question?: ComponentChildren;
  fields?: readonly Field[];
  /** Runs it, under a key for idempotency. A text that it answers is shown when it is done. */
  run: (values: Values, key: string) => Promise<string | undefined | ComponentChildren>;
  done?: () => void;
}

export function ActionButton({
  label,
  kind = 'plain',
  title = label,
  question,
  fields = [],
  run,
  done,
}: ActionButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [opened, setOpened] = useState('');
  const requestKey = useRequestKey();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ComponentChildren>(undefined);
  const [selected, setSelected] = useState<Values>({});
  useEffect(() => {
    if (kind !== 'primary' || !mayChange()) return;
    return onPrimaryWanted(open);
  }, []);
  useEffect(() => focusInvalid(problem ? dialog.current : null), [problem]);
  if (!mayChange()) return null;

  function open(): void {
    setOpened(crypto.randomUUID());
    setProblem(undefined);
    setAnswer(undefined);
    setSelected({});
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
      const said = await run(values, requestKey.keyOf(values));
      requestKey.renew();
      if (said && typeof said !== 'string') setAnswer(said);
      else dialog.current?.close();
      if (typeof said === 'string') notify(said);
      done?.();
    } catch (error) {
      setProblem(requestKey.refused(error));
    }
    setBusy(false);
  };
  const ofField = (name: string): string | undefined =>
    problem?.fields.get(name) ?? (problem?.field === name ? problem.message : undefined);
  const select = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) setSelected({ ...selected, [target.name]: target.value });
  };
  const isElsewhere = problem && !fields.some(({ name }) => ofField(name) !== undefined);

  return (
    <>
      <Button type="button" kind={kind} onClick={open}>
        {label}
      </Button>
      {/* What was in it, a secret too, is gone once it is closed: not while the answer may still bring one. Some browsers
          ask once only whether Escape may close it, and closedby says it to them for good. */}
      <dialog
        ref={dialog}
        class="card"
        aria-label={title}
        closedby={isBusy ? 'none' : 'closerequest'}
        onCancel={event => isBusy && event.preventDefault()}
        onClose={() => setOpened('')}
      >
        {opened && (
          <form key={opened} method="dialog" onSubmit={submit} onInput={select}>
            <h2>{title}</h2>
            {answer ?? (
              <>
                {question && <p class="hint">{question}</p>}
                {isElsewhere && <ProblemNote problem={problem} />}
                {askedFor(fields, selected).map(field => (
                  <FieldInput key={field.name} field={field} problem={ofField(field.name)} />
                ))}
              </>
            )}
            <div class="actions">
              <Button type="button" disabled={isBusy} onClick={() => dialog.current?.close()}>
                {answer ? 'OK' : t.cancel}
              </Button>
              {!answer && (
                <Button kind={kind === 'danger' ? 'danger' : 'primary'} isBusy={isBusy}>
                  {label}
                </Button>
              )}
            </div>
          </form>
        )}
      </dialog>
    </>
  );
}

/** A select that nobody has touched has its first value, or the one that it was given. */
function askedFor(fields: readonly Field[], selected: Values): Field[] {
  const valueIn = (select: string): string => {
    const { value, options = [] } = fields.find(({ name }) => name === select) ?? {};
    return selected[select] ?? String(value ?? options[0]?.[0]);
  };
  return fields.filter(({ onlyWith }) => !onlyWith || onlyWith.slice(1).includes(valueIn(onlyWith[0])));
}
