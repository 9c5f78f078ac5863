/** Elements, without a framework. */
type Attribute = string | boolean | undefined | ((event: Event) => void);
type Child = Node | string | false | undefined;

/** A function is called for the event that its name tells, as `onclick`; true is an attribute without a value. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== false && child !== undefined));
  return element;
}

export const iconButton = (sign: string, label: string, onclick: () => void): HTMLElement =>
  el('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, onclick }, sign);

interface Choice {
  key: string;
  label: string;
}

/** Tabs of one list: arrows walk through them, as a screen reader announces it. */
export function tabList(
  label: string,
  choices: readonly Choice[],
  chosen: string,
  { panel, choose }: { panel: string; choose: (key: string) => void },
): HTMLElement {
  const buttons = choices.map(({ key, label }) => {
    const isChosen = key === chosen;
    const attributes = { role: 'tab', type: 'button', id: `${panel}-${key}`, 'aria-controls': panel };
    const state = { 'aria-selected': String(isChosen), tabindex: isChosen ? '0' : '-1' };
    return el('button', { ...attributes, ...state, title: label, onclick: () => choose(key) }, label);
  });
  const walk = (event: Event): void => {
    const at = choices.findIndex(({ key }) => key === chosen);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[(event as KeyboardEvent).key];
    const next = step && choices[(at + step + choices.length) % choices.length];
    if (!next) return;
    event.preventDefault();
    choose(next.key);
    document.getElementById(`${panel}-${next.key}`)?.focus();
  };
  return el('div', { role: 'tablist', 'aria-label': label, onkeydown: walk }, ...buttons);
}
