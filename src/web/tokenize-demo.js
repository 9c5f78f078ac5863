/* The demo page: sends the form to createToken and shows the token or the error. */
import { createToken } from './tokenize.js';

const form = document.querySelector('form');
const result = document.querySelector('#result');

/* `npm start` prints an address that names the shop in its fragment, which no server and no log gets to see. */
const fillInShop = () => {
  const shop = new URLSearchParams(location.hash.slice(1));
  for (const name of ['merchant_id', 'public_key']) if (shop.has(name)) form.elements[name].value = shop.get(name);
};
fillInShop();
addEventListener('hashchange', fillInShop);

form.addEventListener('submit', async event => {
  event.preventDefault();
  const { merchant_id, public_key, ...card } = Object.fromEntries(new FormData(form));
  const button = form.querySelector('button');
  button.disabled = true;
  result.className = '';
  result.textContent = '…';
  try {
    const token = await createToken({ url: location.origin, merchantId: merchant_id, publicKey: public_key }, card);
    result.className = 'good';
    result.textContent = JSON.stringify(token, null, 2);
    document.querySelector('#device').textContent = await window.recaudo.device({ merchant_id, public_key });
    form.elements.card_number.value = form.elements.cvv2.value = '';
  } catch (error) {
    result.className = 'bad';
    result.textContent = error.error_code ? `${error.error_code} ${error.message}` : `No answer: ${error.message}`;
  }
  button.disabled = false;
});

fetch('/v1/tokenize.js').then(async response => {
  document.querySelector('#code').textContent = await response.text();
});
