/** The reference: one language for all examples, copying, the search, and the contents on a phone. */
import { load, save } from '../shared/storage';
import { requireElement } from './element';
import { type SearchEntry, searchEntries, wordsOf } from './searchEntries';
import './tryIt';

const STORED = 'recaudo.language';
const LANGUAGES = ['curl', 'node', 'python'];
const root = document.documentElement;
const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];

function choose(language: string): void {
  root.dataset.shown = language;
  for (const button of all('[data-choose]'))
    button.setAttribute('aria-pressed', String(button.dataset.choose === language));
}

choose(LANGUAGES.find(language => language === load(STORED, '')) ?? 'curl');
for (const bar of all('.languages')) bar.hidden = false;
document.addEventListener('click', async ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const language = target.dataset.choose;
  if (language) {
    const before = target.getBoundingClientRect().top;
    choose(language);
    save(STORED, language);
    // Examples above may have become longer or shorter; this one stays in place.
    scrollBy(0, target.getBoundingClientRect().top - before);
  }
  if (target.classList.contains('copy')) {
    const shown = target.closest('.samples')?.querySelector(`[data-language="${root.dataset.shown}"]`);
    await navigator.clipboard.writeText(shown?.textContent ?? '');
    target.textContent = 'Copied';
    setTimeout(() => {
      target.textContent = 'Copy';
    }, 2000);
  }
});

const menu = requireElement('.menu');
const rail = requireElement('.rail');
menu.hidden = false;
rail.dataset.closed = '';
menu.addEventListener('click', () => {
  const isOpen = rail.dataset.closed === undefined;
  if (isOpen) rail.dataset.closed = '';
  else delete rail.dataset.closed;
  menu.setAttribute('aria-expanded', String(!isOpen));
});
// By hand, because scrollIntoView would move the page too.
const current = rail.querySelector<HTMLElement>('[aria-current]');
if (current && current.offsetTop > rail.clientHeight - current.offsetHeight)
  rail.scrollTop = current.offsetTop - rail.clientHeight / 2;

const field = requireElement<HTMLInputElement>('#find');
const found = requireElement('#found');
let entries: SearchEntry[] | undefined;
/** The words of the results in the page. */
let shown = '';
field.hidden = false;

function lineOf([title, place, url]: SearchEntry): HTMLLIElement {
  const line = document.createElement('li');
  const link = Object.assign(document.createElement('a'), { href: url });
  link.append(title, Object.assign(document.createElement('span'), { textContent: place }));
  line.append(link);
  return line;
}

function show(): void {
  const words = wordsOf(field.value);
  found.hidden = words.length === 0 || !entries;
  // The same lines stay, with the one that has the focus.
  if (!entries || found.hidden || words.join(' ') === shown) return;
  shown = words.join(' ');
  const lines = searchEntries(entries, words).map(lineOf);
  if (lines.length === 0) {
    const nothing = document.createElement('li');
    nothing.append(Object.assign(document.createElement('p'), { textContent: 'Nothing has all of these words.' }));
    lines.push(nothing);
  }
  found.replaceChildren(...lines);
}

field.addEventListener('focus', async () => {
  entries ??= await fetch('/docs/search.json').then(response => response.json());
  show();
});
field.addEventListener('input', show);
document.addEventListener('keydown', event => {
  const target = event.target as HTMLElement;
  const isTyping = /^(input|textarea|select)$/i.test(target.tagName);
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    field.focus();
  }
  const links = found.hidden ? [] : [...found.querySelectorAll('a')];
  const place = links.indexOf(document.activeElement as HTMLAnchorElement);
  const isHere = target === field || place >= 0;
  if (!isHere) return;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    (links[place + (event.key === 'ArrowDown' ? 1 : -1)] ?? field).focus();
  }
  if (event.key === 'Enter' && target === field) links[0]?.click();
  if (event.key === 'Escape') {
    found.hidden = true;
    field.focus();
  }
});
document.addEventListener('click', ({ target }) => {
  const element = target as Element;
  if (!element.closest('search') || element.closest('#found a')) found.hidden = true;
});
