/** Search, navigation and actions, usable by keyboard only. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Icon } from '../../shared/ui/Icon';
import { useLoad } from '../api/useLoad';
import { closeOverlay } from '../shell/overlays';
import { type Choice, choicesFor } from './choices';
import { findRecords, MIN_CHARACTERS, recent } from './records';
import { t } from './texts';

/** Delay after the last key before the search starts. */
const TYPING_MS = 150;

export function Palette() {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const found = useFound(text.trim());
  const choices = [...(text.trim() ? found.choices : recent.value), ...choicesFor(text)];
  const chosen = choices[Math.min(at, choices.length - 1)];

  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      // Unless the chosen action has moved the focus.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  useEffect(() => {
    document.getElementById(chosen ? idOf(chosen) : '')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.key]);

  const run = (choice: Choice): void => {
    dialog.current?.close();
    closeOverlay();
    choice.run(navigate);
  };
  const walk = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((Math.min(at, choices.length - 1) + step + choices.length) % choices.length);
    else if (event.key === 'Enter' && chosen) run(chosen);
    else return;
    event.preventDefault();
  };

  return (
    <dialog
      ref={dialog}
      class="palette card"
      aria-label={t.title}
      // The event is asynchronous: another palette may be open by then.
      onClose={({ currentTarget }) => currentTarget === dialog.current && closeOverlay()}
      onPointerDown={({ target }) => target === dialog.current && closeOverlay()}
    >
      <input
        type="search"
        role="combobox"
        aria-label={t.title}
        aria-expanded
        aria-controls="palette-choices"
        aria-activedescendant={chosen && idOf(chosen)}
        placeholder={t.placeholder}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={walk}
      />
      <div id="palette-choices" role="listbox" aria-label={t.title}>
        {groupsOf(choices).map(([group, members]) => (
          <fieldset key={group} aria-label={group}>
            <p aria-hidden="true">{group}</p>
            {members.map(choice => (
              <button
                key={choice.key}
                id={idOf(choice)}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={choice === chosen}
                onClick={() => run(choice)}
                onPointerMove={() => setAt(choices.indexOf(choice))}
              >
                <Icon svg={choice.icon} />
                <span>{choice.text}</span>
                <small>{choice.hint}</small>
              </button>
            ))}
          </fieldset>
        ))}
      </div>
      <p class="hint" role="status">
        {found.note ?? (choices.length === 0 ? t.nothing : t.keys)}
      </p>
    </dialog>
  );
}

const idOf = ({ group, key }: Choice): string => `choice-${group}-${key}`.replace(/[^\w-]/g, '_');

const groupsOf = (choices: readonly Choice[]): [string, Choice[]][] => {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice]);
  return [...groups];
};

/** The search results; the previous ones stay until the new ones arrive. */
function useFound(text: string): { choices: Choice[]; note?: string | undefined } {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isLongEnough = settled.length >= MIN_CHARACTERS;
  const { data, problem, isLoading } = useLoad(`find ${settled}`, stop => findRecords(settled, stop), {
    when: isLongEnough,
  });
  if (text.length < MIN_CHARACTERS || !isLongEnough) return { choices: [] };
  if (problem) return { choices: [], note: problem.message };
  if (isLoading || settled !== text) return { choices: data ?? [], note: t.looking };
  return { choices: data ?? [], note: data?.length === 0 ? t.nothing : t.results(data?.length ?? 0) };
}
