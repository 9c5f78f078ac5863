/* Conveniences for the payment pages, which also work without JavaScript. */
const BRANDS = [
  ['American Express', /^3[47]/, [4, 6, 5], 4],
  ['Diners Club', /^3(?:0[0-5]|[689])/, [4, 6, 4], 3],
  ['Carnet', /^(?:286900|502275|506(?:199|[2-4])|604244|627535|636318|636379|639388|639484|639559)/, [4, 4, 4, 4], 3],
  ['Mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [4, 4, 4, 4], 3],
  ['Visa', /^4/, [4, 4, 4, 4, 3], 3],
];
const OTHER_BRAND = ['', /./, [4, 4, 4, 4, 3], 4];
const brandOf = digits => BRANDS.find(([, pattern]) => pattern.test(digits)) ?? OTHER_BRAND;

const number = document.querySelector('#card_number');
number?.addEventListener('input', () => {
  const digits = number.value.replace(/\D/g, '').slice(0, 19);
  const [name, , groups, codeLength] = brandOf(digits);
  document.querySelector('#brand').textContent = digits ? name : '';
  document.querySelector('#cvv2').maxLength = codeLength;
  // Regrouping would move the cursor of somebody who is correcting a digit in the middle.
  if (number.selectionStart !== number.value.length) return;
  const parts = [];
  let remaining = digits;
  for (const length of [...groups, digits.length]) {
    parts.push(remaining.slice(0, length));
    remaining = remaining.slice(length);
  }
  number.value = parts.filter(Boolean).join(' ');
});

const expiration = document.querySelector('#expiration');
expiration?.addEventListener('input', event => {
  const digits = expiration.value.replace(/\D/g, '');
  if (event.inputType?.startsWith('delete') || /\D/.test(expiration.value) || digits.length < 2) return;
  expiration.value = `${digits.slice(0, 2)}/${digits.slice(2)}`;
});

const form = document.querySelector('form[data-busy]');
const setBusy = busy => {
  form.querySelector('button').disabled = busy;
  form.querySelector('.busy').textContent = busy ? form.dataset.busy : '';
};
form?.addEventListener('submit', () => setBusy(true));
// The back button restores the page as it was left; the card data must not be restored with it.
if (form)
  addEventListener('pageshow', ({ persisted }) => {
    setBusy(false);
    if (persisted || performance.getEntriesByType('navigation')[0]?.type === 'back_forward') form.reset();
  });

/* Marks every empty field at once, where the browser would show one bubble after the other. */
const mark = (input, problem) => {
  const hint = document.getElementById(`${input.id}-hint`);
  hint.querySelector('.bad')?.remove();
  if (!problem) return input.removeAttribute('aria-invalid');
  input.setAttribute('aria-invalid', 'true');
  hint.prepend(Object.assign(document.createElement('strong'), { className: 'bad', textContent: `${problem} ` }));
};
for (const input of form?.querySelectorAll('[data-problem]') ?? []) {
  input.addEventListener('invalid', event => {
    event.preventDefault();
    mark(input, input.dataset.problem);
    form.querySelector('[aria-invalid]').focus();
  });
  input.addEventListener('input', () => mark(input));
}

const firstField =
  document.querySelector('[aria-invalid]') ?? document.querySelector('.alert ~ form input:not([type=hidden])');
firstField?.focus();

document.querySelector('[data-print]')?.addEventListener('click', () => print());

/* Polls for the outcome of the payment, then loads the page that shows it. */
const polledElement = document.querySelector('[data-poll]');
if (polledElement) {
  let delayMs = 1500;
  const poll = async () => {
    const response = await fetch(polledElement.dataset.poll, { headers: { accept: 'text/html' } }).catch(
      () => undefined,
    );
    // 410 means that the payment has expired, which is an outcome too.
    const text = response?.ok || response?.status === 410 ? await response.text() : 'data-poll';
    delayMs = Math.min(delayMs * 1.3, 15000);
    if (text.includes('data-poll')) setTimeout(poll, delayMs);
    else location.replace(polledElement.dataset.poll);
  };
  setTimeout(poll, 1000);
}
