import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface TabsProps<Key extends string> {
  label: string;
  tabs: readonly (readonly [key: Key, name: string])[];
  chosen: Key;
  /** ID of the element with `role="tabpanel"`. */
  panel: string;
  choose: (key: Key) => void;
}

const tabId = (panel: string, key: string): string => `${panel}-${key}`;

/** Arrow keys move between the tabs. */
export function Tabs<Key extends string>({ label, tabs, chosen, panel, choose }: TabsProps<Key>) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [chosen],
  );
  const walk = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.findIndex(([key]) => key === chosen);
    const [next] = (step && tabs[(at + step + tabs.length) % tabs.length]) || [];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    document.getElementById(tabId(panel, next))?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} onKeyDown={walk}>
      {tabs.map(([key, name]) => (
        <button
          key={key}
          id={tabId(panel, key)}
          type="button"
          role="tab"
          title={name}
          aria-selected={key === chosen}
          aria-controls={panel}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => choose(key)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface TabPanelProps {
  id: string;
  chosen: string;
  class?: string;
  children: ComponentChildren;
}

export const TabPanel = ({ id, chosen, ...rest }: TabPanelProps) => (
  <div {...rest} id={id} role="tabpanel" aria-labelledby={tabId(id, chosen)} />
);
