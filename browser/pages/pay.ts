/** Conveniences for the payment pages, which also work without JavaScript. */
import { problemsOfTypedCard } from '../../src/payments/cardDetails/typed';
import { brandMark } from './brandMark';
import { readTypedNumber, separateMonth } from './cardNumber';

const MIN_POLL_MS = 1500;
const MAX_POLL_MS = 15_000;

const find = <T extends HTMLElement = HTMLInputElement>(selector: string): T | null =>
  document.querySelector<T>(selector);

const number = find('#card_number');
number?.addEventListener('input', () => {
  const { brand, grouped, cvv2Length } = readTypedNumber(number.value);
  const shown = find<HTMLElement>('#brand');
  if (shown && shown.firstElementChild?.getAttribute('aria-label') !== (brand || undefined))
    shown.replaceChildren(...(brand ? [brandMark(brand)] : []));
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

/** Marks every wrong field at once; the browser alone would show one bubble after the other. */
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

function checkCard(form: HTMLFormElement): void {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[data-problem]')];
  const card = { holder_name: '', card_number: '', expiration: '', cvv2: '' };
  const { now = '' } = form.dataset;
  const problems = problemsOfTypedCard(
    Object.assign(card, Object.fromEntries(inputs.map(({ name, value }) => [name, value]))),
    now ? new Date(now) : new Date(),
  );
  for (const input of inputs) {
    const { problem = '', expired = problem } = input.dataset;
    const found = problems[input.name as keyof typeof card];
    input.setCustomValidity(found === undefined ? '' : found === 'expired' ? expired : problem);
  }
}

function prepareForm(form: HTMLFormElement): void {
  const button = form.querySelector('button');
  const status = form.querySelector('.busy');
  const setBusy = (isBusy: boolean): void => {
    if (button) button.disabled = isBusy;
    if (status) status.textContent = (isBusy && form.dataset.busy) || '';
  };
  form.addEventListener('submit', () => setBusy(true));
  // Before the browser validates the form, so that a wrong card is not sent and its number need not be typed again.
  button?.addEventListener('click', () => checkCard(form));
  // The back button restores the page as the payer left it; the card data must not be restored with it.
  addEventListener('pageshow', ({ persisted }) => {
    setBusy(false);
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (persisted || navigation?.type === 'back_forward') form.reset();
  });
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-problem]')) {
    input.addEventListener('invalid', event => {
      event.preventDefault();
      mark(input, input.validity.customError ? input.validationMessage : input.dataset.problem);
      form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    });
    input.addEventListener('input', () => {
      input.setCustomValidity('');
      mark(input);
    });
    // The problem of the security code has no reserved space: it would move the button away from the pointer.
    if (input.name === 'cvv2') continue;
    input.addEventListener('change', () => {
      checkCard(form);
      if (input.value && input.validity.customError) mark(input, input.validationMessage);
    });
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-busy]')) prepareForm(form);

(find('[aria-invalid]') ?? find('.alert ~ form input:not([type=hidden])'))?.focus();

const copy = find<HTMLButtonElement>('[data-copy]');
if (copy && navigator.clipboard) {
  const { copy: text = '', copied = '' } = copy.dataset;
  copy.hidden = false;
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = copied;
  });
}

find<HTMLElement>('[data-print]')?.addEventListener('click', () => print());

/** A payer who is in the banking app sees this page later. */
const untilVisible = async (): Promise<void> => {
  while (document.hidden)
    await new Promise(seen => document.addEventListener('visibilitychange', seen, { once: true }));
};

/** Polls for the outcome of the payment, then loads the page that shows it. */
async function poll(url: string, delayMs: number): Promise<void> {
  await untilVisible();
  const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined);
  // 410 means that the payment has expired, which is an outcome too.
  const text = response?.ok || response?.status === 410 ? await response.text() : 'data-poll';
  const nextMs = Math.min(delayMs * 1.3, MAX_POLL_MS);
  if (text.includes('data-poll')) setTimeout(poll, nextMs, url, nextMs);
  else location.replace(url);
}
const polled = find<HTMLElement>('[data-poll]')?.dataset.poll;
if (polled) setTimeout(poll, 1000, polled, MIN_POLL_MS);
