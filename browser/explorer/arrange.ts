/** Layout chosen by the visitor: the widths of the panes, and the light or dark theme. Stored in this browser. */
import { load, save } from '../shared/storage';
import { chooseTheme, THEMES, theme } from '../shared/theme';
import { el } from './dom';
import { t } from './texts';

const STEP_PERCENT = 2;
/** Percentages of the page width. `grows` is the direction in which the pane becomes wider. */
const PANES = {
  side: { usual: 22, min: 15, max: 45, grows: 1 },
  answer: { usual: 39, min: 20, max: 60, grows: -1 },
} as const;

type Pane = keyof typeof PANES;

/** Between a pane and its neighbour: dragged, or moved by the arrow keys; a double click takes it back. */
export function divider(pane: Pane): HTMLElement {
  const { usual, min, max, grows } = PANES[pane];
  const host = el('div', {
    ...{ class: 'divider', role: 'separator', tabindex: '0', 'aria-orientation': 'vertical' },
    ...{
      'aria-label': pane === 'side' ? t.widthOfSide : t.widthOfAnswer,
      'aria-valuemin': `${min}`,
      'aria-valuemax': `${max}`,
    },
  });
  let width: number = usual;
  const resize = (percent: number): void => {
    width = Math.min(max, Math.max(min, Math.round(percent)));
    document.body.style.setProperty(`--${pane}`, `${width}%`);
    host.setAttribute('aria-valuenow', `${width}`);
    save(`explorer.${pane}`, width);
  };
  host.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: STEP_PERCENT * grows, ArrowLeft: -STEP_PERCENT * grows }[key];
    if (step) resize(width + step);
    else if (key === 'Home') resize(min);
    else if (key === 'End') resize(max);
  });
  host.addEventListener('pointerdown', event => {
    host.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  host.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (!host.hasPointerCapture(pointerId)) return;
    const share = (clientX / document.body.clientWidth) * 100;
    resize(pane === 'side' ? share : 100 - share);
  });
  host.addEventListener('dblclick', () => resize(usual));
  const kept: unknown = load(`explorer.${pane}`, usual);
  resize(typeof kept === 'number' ? kept : usual);
  return host;
}

const SIGNS = { system: '◐', light: '○', dark: '●' };

/** Switches from one theme to the next, starting with that of the system. */
export function themeButton(): HTMLElement {
  const next = () => THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  const host = el('button', { type: 'button', class: 'icon', onclick: () => chooseTheme(next()) });
  theme.subscribe(name => {
    host.textContent = SIGNS[name];
    host.title = t.themes[name];
    host.setAttribute('aria-label', t.themes[name]);
  });
  return host;
}
