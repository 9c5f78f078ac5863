/** Conveniences for the payment pages, which also work without JavaScript. */
import { readTypedNumber, separateMonth } from './cardNumber';

const MIN_POLL_MS = 1500;
const MAX_POLL_MS = 15_000;

const find = <T extends HTMLElement = HTMLInputElement>(selector: string): T | null =>
  document.querySelector<T>(selector);

const number = find('#card_number');
number?.addEventListener('input', () => {
  const { brand, grouped, cvv2Length } = readTypedNumber(number.value);
  const title = find<HTMLElement>('#brand');
  if (title) title.textContent = brand;
  const cvv2 = find('#cvv2');
  if (cvv2) cvv2.maxLength = cvv2Length;
  // Regrouping would move the cursor of a payer who is correcting a digit in the middle.
  if (number.selectionStart === number.value.length) number.value = grouped;
});

const expiration = find('#expiration');
expiration?.addEventListener('input', event => {
  const isDeletion = (event as InputEvent).inputType?.startsWith('delete');
  if (!isDeletion) expiration.value = separateMonth(expiration.value);
});

/** Marks every empty field at once; the browser alone would show one bubble after the other. */
function mark(input: HTMLInputElement, problem?: string): void {
  const hint = document.getElementById(`${input.id}-hint`);
  hint?.querySelector('.bad')?.remove();
  if (!problem) {
    input.removeAttribute('aria-invalid');
    return;
  }
  input.setAttribute('aria-invalid', 'true');
  hint?.prepend(Object.assign(document.createElement('strong'), { className: 'bad', textContent: `${problem} ` }));
}

function prepareForm(form: HTMLFormElement): void {
  const button = form.querySelector('button');
  const status = form.querySelector('.busy');
  const setBusy = (isBusy: boolean): void => {
    if (button) button.disabled = isBusy;
    if (status) status.textContent = (isBusy && form.dataset.busy) || '';
  };
  form.addEventListener('submit', () => setBusy(true));
  // The back button restores the page as the payer left it; the card data must not be restored with it.
  addEventListener('pageshow', ({ persisted }) => {
    setBusy(false);
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (persisted || navigation?.type === 'back_forward') form.reset();
  });
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-problem]')) {
    input.addEventListener('invalid', event => {
      event.preventDefault();
      mark(input, input.dataset.problem);
      form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    });
    input.addEventListener('input', () => mark(input));
  }
}

const form = find<HTMLFormElement>('form[data-busy]');
if (form) prepareForm(form);

(find('[aria-invalid]') ?? find('.alert ~ form input:not([type=hidden])'))?.focus();

find<HTMLElement>('[data-print]')?.addEventListener('click', () => print());

/** Polls for the outcome of the payment, then loads the page that shows it. */
async function poll(url: string, delayMs: number): Promise<void> {
  const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined);
  // 410 means that the payment has expired, which is an outcome too.
  const text = response?.ok || response?.status === 410 ? await response.text() : 'data-poll';
  const nextMs = Math.min(delayMs * 1.3, MAX_POLL_MS);
  if (text.includes('data-poll')) setTimeout(poll, nextMs, url, nextMs);
  else location.replace(url);
}
const polled = find<HTMLElement>('[data-poll]')?.dataset.poll;
if (polled) setTimeout(poll, 1000, polled, MIN_POLL_MS);
