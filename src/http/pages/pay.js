/* What makes the pages comfortable. Without it they work all the same. */
const BRANDS = [
  ['American Express', /^3[47]/, [4, 6, 5], 4],
  ['Diners Club', /^3(?:0[0-5]|[689])/, [4, 6, 4], 3],
  ['Carnet', /^(?:286900|502275|506(?:199|[2-4])|604244|627535|636318|636379|639388|639484|639559)/, [4, 4, 4, 4], 3],
  ['Mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [4, 4, 4, 4], 3],
  ['Visa', /^4/, [4, 4, 4, 4, 3], 3],
];
const OTHER = ['', /./, [4, 4, 4, 4, 3], 4];
const brandOf = digits => BRANDS.find(([, start]) => start.test(digits)) ?? OTHER;

const number = document.querySelector('#card_number');
number?.addEventListener('input', () => {
  const digits = number.value.replace(/\D/g, '').slice(0, 19);
  const [name, , groups, codeLength] = brandOf(digits);
  document.querySelector('#brand').textContent = digits ? name : '';
  document.querySelector('#cvv2').maxLength = codeLength;
  // Who corrects in the middle is left alone.
  if (number.selectionStart !== number.value.length) return;
  const parts = [];
  let rest = digits;
  for (const length of [...groups, digits.length]) {
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
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
// The back button brings a page back as it was left; what was typed is not to come back with it.
if (form)
  addEventListener('pageshow', ({ persisted }) => {
    setBusy(false);
    if (persisted || performance.getEntriesByType('navigation')[0]?.type === 'back_forward') form.reset();
  });

const first =
  document.querySelector('[aria-invalid]') ?? document.querySelector('.alert ~ form input:not([type=hidden])');
first?.focus();

document.querySelector('[data-print]')?.addEventListener('click', () => print());

/* Waits for the outcome: the page is loaded again once it says something else. */
const waiting = document.querySelector('[data-poll]');
if (waiting) {
  let pause = 1500;
  const look = async () => {
    const answer = await fetch(waiting.dataset.poll, { headers: { accept: 'text/html' } }).catch(() => undefined);
    // Also that its time is over is an outcome.
    const text = answer?.ok || answer?.status === 410 ? await answer.text() : 'data-poll';
    pause = Math.min(pause * 1.3, 15000);
    if (text.includes('data-poll')) setTimeout(look, pause);
    else location.replace(waiting.dataset.poll);
  };
  setTimeout(look, 1000);
}
