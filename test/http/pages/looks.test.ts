/** Every page, on a phone and on a desk: it fits, everybody can use it, and it speaks the payer’s language. `npm run screenshots` keeps pictures. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { fromRoot } from '../../../src/platform/root';
import { heading, pay, send, sizes, testPayers, typed } from '../../harness/browser/payers';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const payers = testPayers(api);
const { open, newPayment, newTransfer, newVoucher, change, merchantUrl } = payers;
const form = { ...typed, attempt: '0' };
const axe = readFileSync(fromRoot('node_modules/axe-core/axe.min.js'), 'utf8');

const long = { description: `Pedido ${'de-flores-y-macetas-'.repeat(10)}` };
const wrong = { ...typed, expiration: '01/20' };

interface Look {
  name: string;
  es: string;
  en: string;
  /** Its address, once there is such a page. */
  make(): Promise<string>;
  /** What is sent from there first. */
  sent?: typeof typed;
}

const changed = async (data: object): Promise<string> => {
  const { id, url } = await newPayment();
  await change(id, data);
  return url;
};
const decided = async (outcome: string) => {
  const transfer = await newTransfer();
  await send(transfer.bank, { outcome });
  return transfer;
};
const paid = async (more: object = {}): Promise<string> => {
  const { url } = await newPayment(more);
  await send(url, form);
  return url;
};

const looks: Look[] = [
  { name: 'form', es: 'Paga con tu tarjeta', en: 'Pay with your card', make: async () => (await newPayment(long)).url },
  {
    name: 'invalid',
    es: 'Paga con tu tarjeta',
    en: 'Pay with your card',
    make: async () => (await newPayment()).url,
    sent: wrong,
  },
  {
    name: 'declined',
    es: 'Paga con tu tarjeta',
    en: 'Pay with your card',
    make: async () => {
      const { url } = await newPayment();
      await send(url, { ...form, card_number: '4000000000000119' });
      return url;
    },
  },
  { name: 'exhausted', es: 'Demasiados intentos', en: 'Too many attempts', make: () => changed({ declines: 10 }) },
  {
    name: 'processing',
    es: 'Procesando tu pago…',
    en: 'Processing your payment…',
    make: () => changed({ progress: 'paying' }),
  },
  { name: 'paid', es: 'Pago aprobado', en: 'Payment approved', make: () => paid() },
  {
    name: 'leaving',
    es: 'Te llevamos de vuelta a Tienda…',
    en: 'Taking you back to Tienda…',
    make: async () => `${await paid({ redirect_url: `${merchantUrl()}/nothing` })}/return`,
  },
  {
    name: 'expired',
    es: 'Este pago venció',
    en: 'This payment has expired',
    make: () => changed({ expires_at: new Date(0) }),
  },
  {
    name: 'unknown',
    es: 'No encontramos este pago',
    en: 'We cannot find this payment',
    make: async () => `${api.origin()}/pay/0`,
  },
  { name: 'bank', es: 'Banco de prueba', en: 'Test bank', make: async () => (await newTransfer()).bank },
  { name: 'bank-decided', es: 'Banco de prueba', en: 'Test bank', make: async () => (await decided('approved')).bank },
  {
    name: 'pending',
    es: 'Tu banco aún no responde',
    en: 'Your bank has not answered yet',
    make: async () => `${(await newTransfer()).url}/return`,
  },
  {
    name: 'failed',
    es: 'El pago no se hizo',
    en: 'The payment was not made',
    make: async () => (await decided('rejected')).url,
  },
  {
    name: 'voucher',
    es: 'Comprobante para pagar en tienda',
    en: 'Voucher to pay in a store',
    make: async () => (await newVoucher(long)).payment_method.receipt_url,
  },
  {
    name: 'voucher-paid',
    es: 'Pago aprobado',
    en: 'Payment approved',
    make: async () => {
      const { receipt_url } = (await newVoucher()).payment_method;
      await send(receipt_url, {});
      return receipt_url;
    },
  },
];

/** Made once, looked at often. */
const made = new Map<string, Promise<string>>();
const addressOf = ({ name, make }: Look): Promise<string> => {
  const address = made.get(name) ?? make();
  made.set(name, address);
  return address;
};

const violations = async (page: Page): Promise<unknown[]> => {
  const found = await page.evaluate<{ impact: string; id: string; nodes: { html: string }[] }[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
};

describe('on a phone and on a desk', () => {
  it.each(looks)('$name fits, and everybody can use it', async look => {
    const page = await open(await addressOf(look));
    if (look.sent) await pay(page, look.sent);
    expect(await heading(page)).toBe(look.es);
    await page.evaluate(`${axe};0`);
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([size, await page.evaluate(beyond)]).toEqual([size, 0]);
      expect([size, ...(await violations(page))]).toEqual([size]);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: fromRoot(`screenshots/${look.name}-${size}.png`), fullPage: true });
    }
  });
});

describe('in the payer’s language', () => {
  it.each(looks)('$name is Spanish, and English for who wants it', async look => {
    const address = await addressOf(look);
    const said = async (query: string, accepted?: string) => {
      const headers: Record<string, string> = accepted ? { 'accept-language': accepted } : {};
      const answer = await (look.sent
        ? send(address + query, look.sent, headers)
        : fetch(address + query, { headers }));
      const [, language, title] = /<html lang="(..)">.*<h1[^>]*>([^<]*)</s.exec(await answer.text()) ?? [];
      expect(answer.headers.get('content-language')).toBe(language);
      return [language, title];
    };
    const { es, en } = look;
    expect(await said('')).toEqual(['es', es]);
    expect(await said('', 'fr-FR, de;q=0.8')).toEqual(['es', es]);
    expect(await said('', 'es-CO,es;q=0.9,en;q=0.8')).toEqual(['es', es]);
    expect(await said('', 'en-US,en;q=0.9,es;q=0.8')).toEqual(['en', en]);
    expect(await said('?lang=en', 'es')).toEqual(['en', en]);
    expect(await said('?lang=es', 'en')).toEqual(['es', es]);
  });
});
