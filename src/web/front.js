// Says on the front page which parts answer, and goes on doing so while it is open.
const PAUSE_MS = 5000;
const parts = document.querySelectorAll('[data-part]');

async function look() {
  const states = await fetch('/ready')
    .then(async answer => ({ api: 'up', ...(await answer.json()) }))
    .catch(() => ({ api: 'down' }));
  for (const part of parts) {
    const state = states[part.dataset.part] ?? 'unknown';
    const word = state === 'up' ? part.dataset.up : state === 'unknown' ? '…' : part.dataset.down;
    part.className = `chip ${state === 'up' || state === 'unknown' ? state : 'down'}`;
    const shown = part.querySelector('strong');
    // Written only when it changes, so that it is not read out again and again.
    if (shown.textContent !== word) shown.textContent = word;
  }
  setTimeout(look, PAUSE_MS);
}
if (parts.length > 0) look();
