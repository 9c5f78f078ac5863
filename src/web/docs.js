// The reference: one language for all examples, copying, the search, and the contents on a phone.
const STORED = 'recaudo.language';
const MAX_FOUND = 12;
const root = document.documentElement;
const all = selector => [...document.querySelectorAll(selector)];

function choose(language) {
  root.dataset.shown = language;
  for (const button of all('[data-choose]')) button.setAttribute('aria-pressed', button.dataset.choose === language);
}

function remembered() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null; // Storage is switched off in this browser.
  }
}

function remember(language) {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // It holds for this page then.
  }
}

choose(['curl', 'node', 'python'].includes(remembered()) ? remembered() : 'curl');
for (const bar of all('.languages')) bar.hidden = false;
document.addEventListener('click', async ({ target }) => {
  const language = target.dataset?.choose;
  if (language) {
    const before = target.getBoundingClientRect().top;
    choose(language);
    remember(language);
    // Other examples have become longer or shorter; the one in hand stays where it is.
    scrollBy(0, target.getBoundingClientRect().top - before);
  }
  if (target.classList?.contains('copy')) {
    const shown = target.closest('.samples').querySelector(`[data-language="${root.dataset.shown}"]`);
    await navigator.clipboard.writeText(shown.textContent);
    target.textContent = 'Copied';
    setTimeout(() => {
      target.textContent = 'Copy';
    }, 2000);
  }
});

const menu = document.querySelector('.menu');
const rail = document.querySelector('.rail');
menu.hidden = false;
rail.dataset.closed = '';
menu.addEventListener('click', () => {
  const isOpen = rail.dataset.closed === undefined;
  if (isOpen) rail.dataset.closed = '';
  else delete rail.dataset.closed;
  menu.setAttribute('aria-expanded', !isOpen);
});
// By hand, because scrollIntoView would move the page too.
const current = rail.querySelector('[aria-current]');
if (current && current.offsetTop > rail.clientHeight - current.offsetHeight)
  rail.scrollTop = current.offsetTop - rail.clientHeight / 2;

const field = document.querySelector('#find');
const found = document.querySelector('#found');
let entries;
/** What the lines below the field are for. */
let shown = '';
field.hidden = false;

const plain = text =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}|[_.]/gu, '');

/** Every word must occur; titles count for more than where they stand. */
function search(words) {
  const rank = ([title, where]) =>
    words.reduce((sum, word) => sum + (plain(title).includes(word) ? 2 : plain(where).includes(word) ? 1 : -100), 0);
  return entries
    .map(entry => [rank(entry), entry])
    .filter(([points]) => points > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, MAX_FOUND)
    .map(([, entry]) => entry);
}

function show() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0 || !entries;
  // The same lines stay, with the one that has the focus.
  if (found.hidden || words.join(' ') === shown) return;
  shown = words.join(' ');
  const lines = search(words).map(([title, where, url]) => {
    const [line, link, place] = ['li', 'a', 'span'].map(name => document.createElement(name));
    link.href = url;
    place.textContent = where;
    link.append(title, place);
    line.append(link);
    return line;
  });
  if (lines.length === 0) {
    const nothing = document.createElement('li');
    nothing.append(Object.assign(document.createElement('p'), { textContent: 'Nothing has all of these words.' }));
    lines.push(nothing);
  }
  found.replaceChildren(...lines);
}

field.addEventListener('focus', async () => {
  entries ??= await fetch('/docs/search.json').then(answer => answer.json());
  show();
});
field.addEventListener('input', show);
document.addEventListener('keydown', event => {
  const isTyping = /^(input|textarea|select)$/i.test(event.target.tagName);
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    field.focus();
  }
  const links = found.hidden ? [] : [...found.querySelectorAll('a')];
  const place = links.indexOf(document.activeElement);
  const isHere = event.target === field || place >= 0;
  if (!isHere) return;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    (links[place + (event.key === 'ArrowDown' ? 1 : -1)] ?? field).focus();
  }
  if (event.key === 'Enter' && event.target === field) links[0]?.click();
  if (event.key === 'Escape') {
    found.hidden = true;
    field.focus();
  }
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('search') || target.closest('#found a')) found.hidden = true;
});
