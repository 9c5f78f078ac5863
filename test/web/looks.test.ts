/**
 * Every page on a phone and a desktop: it fits the screen, is accessible and is in the payer’s language.
 * `npm run screenshots` saves pictures.
 */
import { fromRoot } from '../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../harness/browser/accessibility';
import { fill, heading, send, sizes, testPayers, typed } from '../harness/browser/payers';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { open, newPayment, newTransfer, newVoucher, change, merchantUrl } = payers;
const form = { ...typed, attempt: '0' };

const longDescription = { description: `Pedido ${'de-flores-y-macetas-'.repeat(10)}` };
const invalidCard = { ...typed, expiration: '01/20' };

interface PageCase {
  name: string;
  es: string;
  en: string;
  /** Creates a payment that leads to this page, and returns the URL. */
  createUrl(): Promise<string>;
  /** A form that the browser refuses to send. */
  form?: typeof typed;
}

const newChangedPayment = async (data: object): Promise<string> => {
  const { id, url } = await newPayment();
  await change(id, data);
  return url;
};
const newDecidedTransfer = async (outcome: string) => {
  const transfer = await newTransfer();
  await send(transfer.bank, { outcome });
  return transfer;
};
const newPaidPayment = async (fields: object = {}): Promise<string> => {
  const { url } = await newPayment(fields);
  await send(url, form);
  return url;
};

const pageCases: PageCase[] = [
  {
    name: 'form',
    es: 'Pago con tarjeta',
    en: 'Card payment',
    createUrl: async () => (await newPayment(longDescription)).url,
  },
  {
    name: 'invalid',
    es: 'Pago con tarjeta',
    en: 'Card payment',
    createUrl: async () => {
      await api.rest('PUT', '', { body: { max_installments: 36 } });
      const { url } = await newPayment();
      await api.rest('PUT', '', { body: { max_installments: 1 } });
      return url;
    },
    form: invalidCard,
  },
  {
    name: 'declined',
    es: 'Pago con tarjeta',
    en: 'Card payment',
    createUrl: async () => {
      const { url } = await newPayment();
      await send(url, { ...form, card_number: '4000000000000119' });
      return url;
    },
  },
  {
    name: 'exhausted',
    es: 'Demasiados intentos',
    en: 'Too many attempts',
    createUrl: () => newChangedPayment({ declines: 10 }),
  },
  {
    name: 'processing',
    es: 'Procesando tu pago…',
    en: 'Processing your payment…',
    createUrl: () => newChangedPayment({ progress: 'paying' }),
  },
  { name: 'paid', es: 'Pago aprobado', en: 'Payment approved', createUrl: () => newPaidPayment() },
  {
    name: 'leaving',
    es: 'Volviendo a Tienda…',
    en: 'Returning to Tienda…',
    createUrl: async () => `${await newPaidPayment({ redirect_url: `${merchantUrl()}/nothing` })}/return`,
  },
  {
    name: 'expired',
    es: 'Este pago venció',
    en: 'This payment has expired',
    createUrl: () => newChangedPayment({ expires_at: new Date(0) }),
  },
  {
    name: 'unknown',
    es: 'No encontramos este pago',
    en: 'We could not find this payment',
    createUrl: async () => `${api.origin()}/pay/0`,
  },
  { name: 'bank', es: 'Banco de prueba', en: 'Test bank', createUrl: async () => (await newTransfer()).bank },
  {
    name: 'bank-decided',
    es: 'Banco de prueba',
    en: 'Test bank',
    createUrl: async () => (await newDecidedTransfer('approved')).bank,
  },
  {
    name: 'pending',
    es: 'Pago pendiente',
    en: 'Payment pending',
    createUrl: async () => `${(await newTransfer()).url}/return`,
  },
  {
    name: 'failed',
    es: 'Pago rechazado',
    en: 'Payment declined',
    createUrl: async () => (await newDecidedTransfer('rejected')).url,
  },
  {
    name: 'voucher',
    es: 'Cupón de pago',
    en: 'Payment voucher',
    createUrl: async () => (await newVoucher(longDescription)).payment_method.receipt_url,
  },
  {
    name: 'bre-b',
    es: 'Pago con Bre-B',
    en: 'Bre-B payment',
    createUrl: async () => (await newVoucher({ ...longDescription, method: 'bre_b' })).payment_method.url,
  },
  {
    name: 'voucher-paid',
    es: 'Pago aprobado',
    en: 'Payment approved',
    createUrl: async () => {
      const { receipt_url } = (await newVoucher()).payment_method;
      await send(receipt_url, {});
      return receipt_url;
    },
  },
];

/** Created once for all tests. */
const urls = new Map<string, Promise<string>>();
const urlOf = ({ name, createUrl }: PageCase): Promise<string> => {
  const url = urls.get(name) ?? createUrl();
  urls.set(name, url);
  return url;
};

describe('on a phone and on a desktop', () => {
  it.each(pageCases)('$name fits the screen and is accessible', async pageCase => {
    const page = await open(await urlOf(pageCase));
    if (pageCase.form) {
      await fill(page, pageCase.form);
      await page.click('form button');
    }
    expect(await heading(page)).toBe(pageCase.es);
    for (const { name, viewport, colorScheme } of screens) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      expect([name, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([name, 0]);
      const path = fromRoot(`screenshots/${pageCase.name}-${name}.png`);
      if (process.env.SCREENSHOTS) await page.screenshot({ path, fullPage: true });
    }
  });
});

const MAX_FIRST_VIEW_BYTES = 60_000;
it.each(pageCases.filter(({ name }) => ['form', 'paid', 'bank', 'voucher'].includes(name)))(
  'the first view of $name is small, also with the script',
  async pageCase => {
    const url = await urlOf(pageCase);
    const page = await (await fetch(url)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/(?:pages|v1)\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files.length).toBeGreaterThan(2);
    const sizes = files.map(async path => {
      const { status, headers } = await fetch(new URL(path, url), { headers: { 'accept-encoding': 'gzip' } });
      expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip']);
      return Number(headers.get('content-length'));
    });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, Buffer.byteLength(page));
    expect(bytes).toBeLessThan(MAX_FIRST_VIEW_BYTES);
  },
);

describe('the summary of a payment', () => {
  it.each([...Object.values(sizes), { width: 390, height: 844 }])(
    'keeps its labels on one line: $width px',
    async viewport => {
      const page = await open(`${await newPaidPayment()}?lang=es`, { viewport });
      const lines = await page.locator('dt').evaluateAll(names =>
        names.map(name => {
          const range = name.ownerDocument.createRange();
          range.selectNodeContents(name);
          return [name.textContent, range.getClientRects().length];
        }),
      );
      expect(lines).toEqual([
        ['Transacción', 1],
        ['Fecha', 1],
        ['IVA incluido', 1],
        ['Tarjeta', 1],
      ]);
    },
  );

  it.each([
    ['4242424242424242', '123', 'Visa ···· 4242'],
    ['5555555555554444', '123', 'Mastercard ···· 4444'],
    ['345678000000007', '1234', 'American Express ···· 0007'],
    ['36728481533333', '123', 'Diners Club ···· 3333'],
    ['5062540000000009', '123', 'Carnet ···· 0009'],
    ['9999999999999995', '123', '···· 9995'],
  ])('shows the official brand name of %s', async (card_number, cvv2, shown) => {
    const { url } = await newPayment();
    await send(url, { ...form, card_number, cvv2 });
    const page = await open(url);
    expect(await page.textContent('dl div:last-child dd')).toBe(shown);
  });
});

describe('in the payer’s language', () => {
  it.each(pageCases)('$name is in Spanish, and in English on request', async pageCase => {
    const url = await urlOf(pageCase);
    const languageAndTitle = async (query: string, acceptLanguage?: string) => {
      const headers: Record<string, string> = acceptLanguage ? { 'accept-language': acceptLanguage } : {};
      const answer = await (pageCase.form
        ? send(url + query, pageCase.form, headers)
        : fetch(url + query, { headers }));
      const [, language, title] = /<html lang="(..)">.*<h1[^>]*>([^<]*)</s.exec(await answer.text()) ?? [];
      expect(answer.headers.get('content-language')).toBe(language);
      return [language, title];
    };
    const { es, en } = pageCase;
    expect(await languageAndTitle('')).toEqual(['es', es]);
    expect(await languageAndTitle('', 'fr-FR, de;q=0.8')).toEqual(['es', es]);
    expect(await languageAndTitle('', 'es-CO,es;q=0.9,en;q=0.8')).toEqual(['es', es]);
    expect(await languageAndTitle('', 'en-US,en;q=0.9,es;q=0.8')).toEqual(['en', en]);
    expect(await languageAndTitle('?lang=en', 'es')).toEqual(['en', en]);
    expect(await languageAndTitle('?lang=es', 'en')).toEqual(['es', es]);
  });
});
