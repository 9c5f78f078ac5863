/** The demo page: sends the form to `createToken` and shows the token or the error. */
import { requireElement } from './element';
import { createToken } from './tokenize.js';

const form = requireElement<HTMLFormElement>('form');
const result = requireElement('#result');
const button = requireElement<HTMLButtonElement>('form button');
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;

/** `npm start` prints a URL with the merchant in its fragment, which browsers send to no server and so to no log. */
function fillInMerchant(): void {
  const merchant = new URLSearchParams(location.hash.slice(1));
  for (const name of ['merchant_id', 'public_key']) field(name).value = merchant.get(name) ?? field(name).value;
}
fillInMerchant();
addEventListener('hashchange', fillInMerchant);

form.addEventListener('submit', async event => {
  event.preventDefault();
  const {
    merchant_id = '',
    public_key = '',
    ...card
  } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  button.disabled = true;
  result.className = '';
  result.textContent = '…';
  try {
    const token = await createToken({ url: location.origin, merchantId: merchant_id, publicKey: public_key }, card);
    result.className = 'good';
    result.textContent = JSON.stringify(token, null, 2);
    requireElement('#device').textContent = (await window.recaudo?.device({ merchant_id, public_key })) ?? '';
    for (const name of ['card_number', 'cvv2']) field(name).value = '';
  } catch (error) {
    const { error_code, message } = error as Error & { error_code?: number };
    result.className = 'bad';
    result.textContent = error_code ? `${error_code} ${message}` : `No response: ${message}`;
  }
  button.disabled = false;
});

fetch('/v1/tokenize.js').then(async response => {
  requireElement('#code').textContent = await response.text();
});
