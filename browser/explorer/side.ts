/** Beside the editor: the reference, samples, and what was run before. */
import { el, tabList } from './dom';
import { openSample, sampleTitles } from './samples';
import { clearHistory, type Draft, loadHistory } from './storage';
import { language, t } from './texts';

const PANEL = 'side-panel';
const VIEWS = ['reference', 'samples', 'history'] as const;
type View = (typeof VIEWS)[number];

const time = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export function createSide(reference: HTMLElement, openDraft: (draft: Draft) => void) {
  let view: View = 'samples';
  const bar = el('div', { class: 'bar' });
  const panel = el('div', { id: PANEL, role: 'tabpanel', class: 'panel' });
  const host = el('aside', { class: 'side', 'aria-label': t.side }, bar, panel);

  const samples = (): HTMLElement =>
    el(
      'div',
      { class: 'scroll list' },
      el('p', { class: 'hint' }, t.samplesHint),
      el(
        'ol',
        {},
        ...sampleTitles.map((title, i) =>
          el('li', {}, el('button', { type: 'button', class: 'row', onclick: () => openDraft(openSample(i)) }, title)),
        ),
      ),
    );

  function pastRuns(): HTMLElement {
    const runs = loadHistory();
    if (runs.length === 0) return el('div', { class: 'scroll list' }, el('p', { class: 'hint' }, t.historyEmpty));
    const rows = runs.map(({ name, at, query, variables }) =>
      el(
        'li',
        {},
        el(
          'button',
          { type: 'button', class: 'row', onclick: () => openDraft({ query, variables }) },
          el('span', {}, name),
          el('small', {}, time.format(at)),
        ),
      ),
    );
    const clear = (): void => {
      clearHistory();
      show();
    };
    const button = el('button', { type: 'button', class: 'plain', onclick: clear }, t.clear);
    return el('div', { class: 'scroll list' }, el('ul', {}, ...rows), button);
  }

  function show(): void {
    const choices = VIEWS.map(key => ({ key, label: t[key] }));
    const choose = (key: string): void => {
      view = key as View;
      show();
    };
    bar.replaceChildren(tabList(t.side, choices, view, { panel: PANEL, choose }));
    panel.setAttribute('aria-labelledby', `${PANEL}-${view}`);
    panel.replaceChildren(view === 'reference' ? reference : view === 'samples' ? samples() : pastRuns());
  }
  show();
  return {
    host,
    showReference: (): void => {
      view = 'reference';
      show();
    },
    /** Called after each run, which adds to the history. */
    refresh: (): void => {
      if (view === 'history') show();
    },
  };
}
