/** Vouchers to pay in a store: on a screen, on paper and as PDF. */

import { barcodesIn } from '../harness/browser/barcodes';
import { heading, press, send, sizes, testPayers } from '../harness/browser/payers';
import { readPdf } from '../harness/browser/pdf';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { open, newVoucher, read, shop } = payers;
const groupDigits = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ');
const fetchBytes = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());

describe('a voucher', () => {
  it('shows the merchant, the amount, the deadline and both references', async () => {
    const { payment_method } = await newVoucher({ amount: 12345.67, due_date: '2027-01-31T18:00:00-05:00' });
    const { reference, paybin_reference, receipt_url } = payment_method;
    const page = await open(receipt_url);
    const text = await page.textContent('main');
    expect(text).toMatch(/Tienda.*Order.*12\.345,67.*31\/01\/2027, 18:00/s);
    expect(text).toContain(groupDigits(reference));
    expect(text).toContain(groupDigits(paybin_reference));
    expect(await heading(page)).toBe('Cupón de pago');
    expect(await page.locator('.network').allInnerTexts()).toEqual([
      expect.stringMatching(/^Efecty\s+Se paga en: Efecty y Servientrega\.\s+Referencia: /),
      expect.stringMatching(/^Paybin\s+Se paga en: Baloto y SuperGiros\.\s+Referencia: /),
    ]);
  });

  it.each([
    ['a phone', sizes.phone, 2],
    ['a phone with a low pixel density', sizes.phone, 1],
    ['a phone with a high pixel density', sizes.phone, 3],
    ['a slightly wider phone', { width: 393, height: 852 }, 2.75],
    ['a desktop', sizes.desktop, 1],
  ])('can be scanned from the screen of %s', async (_, viewport, deviceScaleFactor) => {
    const { reference, paybin_reference, receipt_url } = (await newVoucher()).payment_method;
    const page = await open(receipt_url, { viewport, deviceScaleFactor });
    const scanned = await barcodesIn(await page.screenshot({ fullPage: true }));
    expect(scanned).toEqual([reference, paybin_reference].sort());
  });

  it('shows the bars of the reference in whole pixels, so that no digits are hard to scan', async () => {
    const { receipt_url } = (await newVoucher()).payment_method;
    const page = await open(receipt_url, { viewport: sizes.phone, deviceScaleFactor: 1 });
    const { shown, drawn } = await page.evaluate<{ shown: number; drawn: number }>(
      "(({ clientWidth: shown, naturalWidth: drawn }) => ({ shown, drawn }))(document.querySelector('figure img'))",
    );
    expect(shown * 3).toBe(drawn * 2);
  });

  it('is printed without its buttons, and can be scanned from paper', async () => {
    const { reference, paybin_reference, receipt_url } = (await newVoucher()).payment_method;
    const page = await open(receipt_url);
    const buttons = page.locator('button, a.button, header a');
    const visible = async () => (await buttons.all()).map(button => button.isVisible());
    expect(await Promise.all(await visible())).toEqual([true, true, true, true]);
    await page.emulateMedia({ media: 'print' });
    expect(await Promise.all(await visible())).toEqual([false, false, false, false]);
    const { text, picture } = await readPdf(payers.browser(), await page.pdf());
    expect(text).toContain(groupDigits(reference));
    expect(text).toContain('Modo de prueba: no se mueve dinero real.');
    expect(await barcodesIn(picture)).toEqual([reference, paybin_reference].sort());
  });

  it('prints when its button is pressed', async () => {
    const { receipt_url } = (await newVoucher()).payment_method;
    const page = await open(receipt_url);
    await page.evaluate('globalThis.print = () => { globalThis.printed = true; }');
    await page.click('[data-print]');
    expect(await page.evaluate('globalThis.printed')).toBe(true);
  });

  it('is available as PDF with the same content', async () => {
    const { reference, paybin_reference, receipt_url } = (await newVoucher({ description: 'Camión n.º 5 – señal' }))
      .payment_method;
    const page = await open(receipt_url);
    expect(await page.getAttribute('a.button', 'href')).toBe(`${new URL(receipt_url).pathname}.pdf`);
    const answer = await fetch(`${receipt_url}.pdf`);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { text, picture } = await readPdf(payers.browser(), new Uint8Array(await answer.arrayBuffer()));
    for (const part of [
      groupDigits(reference),
      groupDigits(paybin_reference),
      '100.000',
      'Tienda',
      'Camión n.º 5 – señal',
      'Cupón de pago',
      'Se paga en: Efecty y Servientrega',
      'Modo de prueba: no se mueve dinero real.',
    ])
      expect(text).toContain(part);
    expect(await barcodesIn(picture)).toEqual([reference, paybin_reference].sort());
    const { text: english } = await readPdf(payers.browser(), await fetchBytes(`${receipt_url}.pdf?lang=en`));
    expect(english).toMatch(
      /Payment voucher.*Efecty Pay at: Efecty and Servientrega.*Paybin Pay at: Baloto and SuperGiros/,
    );
    expect(english).toContain('Test mode: no real money moves.');
  });

  it('is paid with the button of the sandbox, and shows the payment', async () => {
    const { id, payment_method } = await newVoucher();
    const page = await open(payment_method.receipt_url);
    await press(page);
    expect(page.url()).toBe(payment_method.receipt_url);
    expect(await heading(page)).toBe('Pago aprobado');
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
    expect((await send(payment_method.receipt_url, {})).status).toBe(303);
    expect(shop.journalOf(`${id}-paid`)).toHaveLength(1);
    expect(await page.getAttribute('a.button', 'href')).toMatch(/^\/r\/t/);
    await page.emulateMedia({ media: 'print' });
    const { text: printed } = await readPdf(payers.browser(), await page.pdf());
    expect(printed).toMatch(/Modo de prueba.*Pago aprobado/);
    for (const [query, title, mark] of [
      ['', 'Recibo de pago', 'Modo de prueba: no se mueve dinero real.'],
      ['?lang=en', 'Payment receipt', 'Test mode: no real money moves.'],
    ] as const) {
      const answer = await fetch(`${payment_method.receipt_url}.pdf${query}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      const { text, picture } = await readPdf(payers.browser(), new Uint8Array(await answer.arrayBuffer()));
      for (const part of [title, mark, id, 'Tienda', '100.000']) expect(text).toContain(part);
      // Without the reference it cannot be paid again.
      for (const reference of [payment_method.reference, groupDigits(payment_method.reference)])
        expect(text).not.toContain(reference);
      expect(await barcodesIn(picture)).toEqual([]);
    }
  });

  it('shows no payment data after it has expired', async () => {
    const { id, payment_method } = await newVoucher();
    await payers.change(id, { expires_at: new Date(0) });
    const page = await open(payment_method.receipt_url);
    expect(await heading(page)).toBe('Este pago venció');
    expect(await page.content()).not.toContain(payment_method.reference);
    for (const address of ['', '.pdf']) expect((await fetch(payment_method.receipt_url + address)).status).toBe(410);
    await send(payment_method.receipt_url, {});
    expect(await read(id)).toMatchObject({ status: 'in_progress' });
  });

  it('has no card page, and a card payment has no voucher', async () => {
    const { url } = await payers.newPayment();
    const { receipt_url } = (await newVoucher()).payment_method;
    expect((await fetch(url.replace('/pay/', '/vouchers/'))).status).toBe(404);
    const cardPageUrl = receipt_url.replace('/vouchers/', '/pay/');
    for (const address of [cardPageUrl, `${cardPageUrl}/return`])
      expect((await fetch(address, { redirect: 'manual' })).status).toBe(404);
  });
});

describe('the barcodes of a charge', () => {
  it('are cacheable images of the references', async () => {
    const { reference, paybin_reference, barcode_url, barcode_paybin_url } = (await newVoucher()).payment_method;
    for (const [url, digits] of [
      [barcode_url, reference],
      [barcode_paybin_url, paybin_reference],
    ]) {
      const { headers } = await fetch(url);
      expect(headers.get('content-type')).toBe('image/png');
      expect(headers.get('cache-control')).toMatch(/public.*immutable/);
      expect(await barcodesIn(await fetchBytes(url))).toEqual([digits]);
    }
  });

  it('exist only for valid references', async () => {
    const { reference } = (await newVoucher()).payment_method;
    const wrongCheckDigit = `${reference.slice(0, 15)}${(Number(reference[15]) + 1) % 10}`;
    for (const digits of [wrongCheckDigit, `99${reference}`, reference.slice(1), `${reference}x`, '4'])
      expect([digits, (await fetch(`${api.origin()}/barcodes/${digits}.png`)).status]).toEqual([digits, 404]);
  });
});
