/** Shows on the front page which parts are up, and keeps that current. */
const PAUSE_MS = 5000;
const parts = document.querySelectorAll<HTMLElement>('[data-part]');

async function refresh(): Promise<void> {
  const states: Record<string, string> = await fetch('/ready')
    .then(async response => ({ api: 'up', ...(await response.json()) }))
    .catch(() => ({ api: 'down' }));
  for (const part of parts) {
    const { part: name = '', up = '', down = '' } = part.dataset;
    const state = states[name] ?? 'unknown';
    const word = state === 'up' ? up : state === 'unknown' ? '…' : down;
    part.className = `chip ${state === 'up' || state === 'unknown' ? state : 'down'}`;
    const shown = part.querySelector('strong');
    // A screen reader reads the word again whenever it is written.
    if (shown && shown.textContent !== word) shown.textContent = word;
  }
  setTimeout(refresh, PAUSE_MS);
}
if (parts.length > 0) refresh();
