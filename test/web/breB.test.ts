/** A payer pays by Bre-B: with the key, with the QR code, or in the banking app. */
import { barcodesIn } from '../harness/browser/barcodes';
import { bothSizes, heading, press, sizes, testPayers } from '../harness/browser/payers';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { open, change, read, shop, merchantUrl } = payers;

const newPayment = async (overrides: object = {}) => {
  const { id, payment_method } = (await shop.post('/charges', { ...shop.store, method: 'bre_b', ...overrides })).body;
  return { id: id as string, ...(payment_method as { url: string; key: string; qr: string; qr_url: string }) };
};

it.each([
  ['a phone', sizes.phone, 2],
  ['a desktop', sizes.desktop, 1],
])(
  'shows the amount, the deadline, the key and a QR code that scans from %s',
  async (_, viewport, deviceScaleFactor) => {
    const { url, key, qr } = await newPayment({ amount: 12345.67, due_date: '2027-01-31T18:00:00-05:00' });
    const page = await open(url, { viewport, deviceScaleFactor });
    expect(await heading(page)).toBe('Pago con Bre-B');
    const text = await page.textContent('main');
    expect(text).toMatch(/Tienda.*Order.*12\.345,67.*31\/01\/2027, 18:00.*Cómo pagar/s);
    expect(text).toContain(key);
    expect(await barcodesIn(await page.screenshot({ fullPage: true }), 'QRCode')).toEqual([qr]);
  },
);

it('on a phone, the key and the image to save come before the QR code, and are seen without scrolling', async () => {
  const { id, url, key } = await newPayment();
  const page = await open(url, { permissions: ['clipboard-read', 'clipboard-write'] });
  const bottoms = await Promise.all(
    ['[data-copy]', '[download]'].map(async button => {
      const { y = 0, height = 0 } = (await page.locator(button).boundingBox()) ?? {};
      return y + height;
    }),
  );
  const { y: image = 0 } = (await page.locator('figure img').boundingBox()) ?? {};
  for (const bottom of bottoms) expect(bottom).toBeLessThan(Math.min(image, sizes.phone.height));
  await page.click('[data-copy]');
  await page.waitForSelector('text=Llave copiada');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[download]')]);
  expect(download.suggestedFilename()).toBe(`bre-b-${id}.png`);
});

describe.each(bothSizes)('the page of the payer (%s)', size => {
  payers.on(size);

  it('shows the payment as soon as it is received, without being reloaded', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await shop.post(`/sandbox/charges/${id}/pay`, {});
    await page.waitForSelector('h1:has-text("Pago aprobado")');
    expect(page.url()).toMatch(/\/pay\/\w+$/);
  });

  it('does not ask for the outcome while the payer is in another app', async () => {
    const { id, url } = await newPayment();
    const hidden = await open(url);
    await hidden.addInitScript("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
    await hidden.reload();
    const seen = await open(url);
    await shop.post(`/sandbox/charges/${id}/pay`, {});
    await seen.waitForSelector('h1:has-text("Pago aprobado")');
    expect(await heading(hidden)).toBe('Pago con Bre-B');
    await hidden.evaluate(
      "Object.defineProperty(document, 'hidden', { value: false }); document.dispatchEvent(new Event('visibilitychange'))",
    );
    await hidden.waitForSelector('h1:has-text("Pago aprobado")');
  });

  it('leads back to the shop once the payment is received', async () => {
    const { id, url } = await newPayment({ redirect_url: `${merchantUrl()}/thanks?cart=7#end` });
    const page = await open(url);
    await shop.post(`/sandbox/charges/${id}/pay`, {});
    await page.waitForURL(payers.thanksUrl(id));
  });
});

it.each([
  ['text=Aprobar', 'Pago aprobado', 'completed'],
  ['text=Rechazar', 'Pago rechazado', 'failed'],
  ['text=Dejar pendiente', 'Pago con Bre-B', 'charge_pending'],
])('the test bank pays with one press, also without JavaScript: %s', async (button, title, status) => {
  const { id, url, qr } = await newPayment();
  const page = await open(url, { javaScriptEnabled: false });
  await press(page, 'text=Abrir la app del banco');
  expect(await heading(page)).toBe('Banco de prueba');
  // The id of its page is the transaction number in the QR code.
  expect(qr).toContain(new URL(page.url()).pathname.replace('/bank/', ''));
  await press(page, button);
  expect(await heading(page)).toBe(title);
  expect(await read(id)).toMatchObject({ status });
});

it('shows neither the key nor the QR code of a payment that is expired, paid or of a suspended merchant', async () => {
  const [expired, paid, open] = [await newPayment(), await newPayment(), await newPayment()];
  await change(expired.id, { expires_at: new Date(0), redirect_url: merchantUrl() });
  await shop.post(`/sandbox/charges/${paid.id}/pay`, {});
  const { id } = api.merchants().own;
  await api.database.db().merchant.update({ where: { id }, data: { status: 'suspended' } });
  const statuses = [];
  for (const { url, key, qr_url } of [expired, paid, open]) {
    const page = await fetch(url);
    expect(await page.text()).not.toContain(key);
    statuses.push([page.status, (await fetch(`${url}/return`)).status, (await fetch(qr_url)).status]);
  }
  await api.database.db().merchant.update({ where: { id }, data: { status: 'active' } });
  expect(statuses).toEqual([
    [410, 410, 404],
    [200, 200, 404],
    [423, 423, 404],
  ]);
  expect((await fetch(open.qr_url)).status).toBe(200);
});

it('the QR code of a voucher or a card payment does not exist', async () => {
  const { url } = await payers.newPayment();
  expect((await fetch(`${url}/qr.png`)).status).toBe(404);
});
