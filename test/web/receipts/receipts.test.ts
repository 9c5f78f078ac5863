/** Receipts of charges: their links, what they show and hide, and the code that verifies them. */

import { writeFileSync } from 'node:fs';
import { fromRoot } from '../../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { heading, press, send, testPayers, typed } from '../../harness/browser/payers';
import { readPdf } from '../../harness/browser/pdf';
import { freezeClock } from '../../harness/flow/frozenClock';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { shop, open, newPayment, newTransfer, newVoucher } = payers;
const form = { ...typed, attempt: '0' };
const person = {
  name: 'Marcela',
  last_name: 'Quintero Rojas',
  email: 'marcela@privado.example',
  phone_number: '3001234567',
};

const receiptOf = (id: string, owner = '') => api.rest('GET', `${owner}/charges/${id}/receipt`);
const textOf = async (url: string) => (await fetch(url)).text();
const plainText = (page: string): string => page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const pdfText = async (url: string) =>
  (await readPdf(payers.browser(), new Uint8Array(await (await fetch(url)).arrayBuffer()))).text;
const pay = async (fields: object = {}): Promise<string> =>
  shop.newCharge(await shop.newCard(), { customer: person, ...fields });

let paid: string;
beforeAll(async () => {
  await pay({ amount: 10_000_000 });
  paid = await pay({ amount: 119_000, iva: '19%', description: 'Curso de cerámica' });
});

it('is a page and a PDF with the same figures, in Spanish and English', async () => {
  const { status, body } = await receiptOf(paid);
  const { authorization } = (await api.rest('GET', `/charges/${paid}`)).body;
  expect([status, Object.keys(body)]).toEqual([200, ['url', 'pdf_url', 'code']]);
  expect(body.pdf_url).toBe(`${body.url}.pdf`);
  const { data } = (await api.graphql(`{ receipt(transaction_id: "${paid}") { url pdf_url code } }`)).body;
  expect(data.receipt).toEqual(body);
  const page = await open(body.url);
  expect(await heading(page)).toBe('Recibo de pago');
  const spanish = [
    ...['Modo de prueba: no se mueve dinero real.', 'Pagado', 'Tienda', 'Curso de cerámica', '119.000', 'Marcela Q.'],
    ...['Base sin IVA', '100.000', 'IVA incluido (19 %)', '19.000', authorization, body.code, `${api.origin()}/r`],
    ...[`Visa ···· ${typed.card_number.slice(-4)}`, 'hora de Colombia', paid],
  ];
  const english = [
    ...['Test mode: no real money moves.', 'Payment receipt', 'Paid', 'VAT (IVA) included (19 %)', 'Colombian time'],
    ...['119.000', '100.000', '19.000', authorization, body.code, 'Marcela Q.'],
  ];
  for (const [query, parts] of [
    ['', spanish],
    ['?lang=en', english],
  ] as const) {
    const shown = plainText(await textOf(`${body.url}${query}`));
    const printed = await pdfText(`${body.pdf_url}${query}`);
    for (const part of parts) {
      expect(shown).toContain(part);
      expect(printed).toContain(part);
    }
  }
});

it('names no e-mail address, phone number, full name or card number', async () => {
  const { url, pdf_url, code } = (await receiptOf(paid)).body;
  const check = `${api.origin()}/r?code=${code}`;
  for (const text of [await textOf(url), await pdfText(pdf_url), await textOf(check)]) {
    expect(text).not.toMatch(/Quintero|Rojas|privado|3001234567/);
    expect(text).not.toContain(typed.card_number.slice(0, 6));
    expect(text).not.toContain(typed.holder_name);
  }
  expect(await textOf(check)).not.toMatch(/Marcela|Curso|····|19\.000,|t[0-9a-z]{19}/);
  const customer_id = await shop.newCustomer({ name: '1.020.304.050', requires_account: false });
  const card = await shop.newCard(`/customers/${customer_id}/cards`);
  const charge = { ...shop.charge, source_id: card };
  const { id } = (await shop.post(`/customers/${customer_id}/charges`, charge)).body;
  const ofCustomer = (await receiptOf(id, `/customers/${customer_id}`)).body;
  expect(ofCustomer).toEqual((await receiptOf(id)).body);
  expect(await textOf(ofCustomer.url)).not.toMatch(/1\.020|Pagado por/);
});

it('names the business and the NIT of a merchant with verified documents, and not its representative', async () => {
  const { own } = api.merchants();
  const representative = { name: 'Pedro Representante', document: '79123456' };
  const business = { legal_name: 'Cerámicas del Valle S.A.S.', nit: '9001234568', representative };
  const ids = { id: `l${own.id.slice(1)}`, merchant_id: own.id, production_merchant_id: own.id };
  const page = { page_key: `y${own.id.slice(1)}`, page_origin: api.origin() };
  const data = { ...ids, ...page, status: 'approved', business, account_sealed: new Uint8Array(1) };
  const requests = api.database.db().liveRequest;
  await requests.create({ data });
  const { url, pdf_url } = (await receiptOf(paid)).body;
  for (const text of [plainText(await textOf(url)), await pdfText(pdf_url)]) {
    expect(text).toMatch(/NIT 900123456-8 · Cerámicas del Valle S\.A\.S\./);
    expect(text).not.toMatch(/Representante|79123456/);
  }
  await requests.delete({ where: { id: ids.id } });
});

it('shows what was refunded, and that a bank reversed a charge', async () => {
  const id = await pay({ amount: 80_000, iva: '5000' });
  const { url, pdf_url } = (await receiptOf(id)).body;
  await shop.post(`/charges/${id}/refund`, { amount: 30_000.5 });
  for (const text of [plainText(await textOf(url)), await pdfText(pdf_url)]) {
    expect(text).toContain('Reembolsado en parte');
    expect(text).toMatch(/Base sin IVA \$.75\.000 IVA incluido \$.5\.000 /);
    expect(text).toMatch(/Reembolsado [−–]\$.30\.000,50 Valor neto \$.49\.999,50 /);
  }
  await shop.post(`/charges/${id}/refund`, {});
  expect(plainText(await textOf(url))).toMatch(/Recibo de pago Reembolsado .*Valor neto \$.0 /);
  const disputed = await pay();
  const receipt = (await receiptOf(disputed)).body;
  const dispute = (outcome: string) => shop.post(`/sandbox/charges/${disputed}/chargeback`, { outcome });
  await dispute('open');
  expect(await textOf(receipt.url)).toContain('En disputa con el banco');
  await dispute('accepted');
  expect(await textOf(`${api.origin()}/r?code=${receipt.code}`)).toContain('Devuelto por el banco');
});

it('exists for paid charges of the own merchant only', async () => {
  const card = await shop.newCard();
  await shop.script(card, 3003);
  const declined = await shop.post('/charges', { ...shop.charge, source_id: card, customer: person });
  expect(declined.status).toBe(402);
  const [{ id: failed }] = (await api.rest('GET', '/charges?status=failed&limit=1')).body;
  const { id: unpaid } = await newPayment();
  const reserved = await pay({ capture: false });
  for (const id of [failed, unpaid, reserved]) {
    const answer = await receiptOf(id);
    expect([answer.status, errorOf(answer)]).toEqual([412, 3006]);
    expect((await api.graphql(`{ receipt(transaction_id: "${id}") { url } }`)).body.errors[0].extensions).toMatchObject(
      {
        error_code: 3006,
      },
    );
  }
  const refund = (await shop.post(`/charges/${await pay()}/refund`, {})).body.refund.id;
  const { other } = api.merchants();
  const url = `${api.origin()}/v1/${other.id}/charges/${paid}/receipt`;
  const customer_id = await shop.newCustomer();
  for (const answer of [
    ...[await receiptOf(refund), await receiptOf('t0000000000000000000'), await receiptOf('x')],
    await receiptOf(paid, `/customers/${customer_id}`),
    await sendRequest(url, 'GET', { key: other.private_key }),
  ])
    expect([answer.status, errorOf(answer)]).toEqual([404, 1005]);
});

it('opens with the whole link only, and every wrong link is unknown alike', async () => {
  const { url } = (await receiptOf(paid)).body;
  const unpaid = (await receiptOf(await pay())).body.url.replace(/t[0-9a-z]{19}/, (await newPayment()).id);
  const wrong = [`${url.slice(0, -1)}x`, url.slice(0, -1), `${url}0`, `${api.origin()}/r/${paid}`, unpaid];
  const answers = await Promise.all(wrong.flatMap(each => [fetch(each), fetch(`${each}.pdf`)]));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect(new Set(await Promise.all(answers.map(answer => answer.text()))).size).toBe(1);
  for (const address of [url, `${api.origin()}/r`]) {
    const { headers } = await fetch(address);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|data:/);
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
  }
  expect(await textOf(url)).not.toMatch(/(?:src|action)="https?:/);
  expect(api.lines().join('')).not.toContain(url.slice(-32));
});

it('is linked from the page of a payment by card, PSE and cash', async () => {
  const byCard = await newPayment();
  await send(byCard.url, form);
  const transfer = await newTransfer();
  await send(transfer.bank, { outcome: 'approved' });
  const voucher = await newVoucher();
  await send(voucher.payment_method.receipt_url, {});
  for (const [url, id, method] of [
    [byCard.url, byCard.id, 'Visa'],
    [transfer.url, transfer.id, 'PSE'],
    [voucher.payment_method.receipt_url, voucher.id, 'Efectivo, en un punto de pago'],
  ] as const) {
    const page = await open(url);
    const receipt = page.getByRole('link', { name: 'Ver el recibo' });
    expect(`${api.origin()}${await receipt.getAttribute('href')}`).toBe((await receiptOf(id)).body.url);
    const pdf = await page.getByRole('link', { name: 'Descargar PDF' }).getAttribute('href');
    expect(await pdfText(`${api.origin()}${pdf}`)).toContain(method);
    await receipt.click();
    await page.getByText(method).waitFor();
  }
});

it('is verified by anyone with the code, in any spelling', async () => {
  const { code } = (await receiptOf(paid)).body;
  expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  const page = await open(`${api.origin()}/r`);
  expect(await heading(page)).toBe('Verifica un pago');
  await page.fill('#code', code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l'));
  await press(page);
  expect(await page.locator('[role=status]').textContent()).toMatch(/auténtico.*Pagado.*119\.000.*Tienda.*de prueba/s);
  await page.fill('#code', code.replace(/.$/, code.endsWith('7') ? '8' : '7'));
  await press(page);
  expect(await page.locator('[role=alert]').textContent()).toContain('Ningún pago tiene este código');
  expect(await page.inputValue('#code')).toHaveLength(14);
  expect((await fetch(page.url())).status).toBe(404);
  expect((await fetch(`${api.origin()}/r?code=hello`)).status).toBe(404);
});

it('fits every screen, is accessible, and prints without its buttons', async () => {
  const { url, code } = (await receiptOf(paid)).body;
  for (const [name, address] of [
    ['receipt', url],
    ['receipt-check', `${api.origin()}/r?code=${code}`],
    ['receipt-wrong', `${api.origin()}/r?code=1`],
  ]) {
    const page = await open(address);
    for (const screen of screens) {
      await page.setViewportSize(screen.viewport);
      await page.emulateMedia({ colorScheme: screen.colorScheme });
      expect([screen.name, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([screen.name, 0]);
      const path = fromRoot(`screenshots/${name}-${screen.name}.png`);
      if (process.env.SCREENSHOTS) await page.screenshot({ path, fullPage: true });
    }
  }
  const page = await open(url);
  await page.emulateMedia({ media: 'print' });
  const { text, picture } = await readPdf(payers.browser(), await page.pdf());
  expect(text).toMatch(/Modo de prueba.*Recibo de pago/);
  expect(text).toContain(code);
  expect(text).not.toMatch(/Descargar|Imprimir/);
  if (process.env.SCREENSHOTS) writeFileSync(fromRoot('screenshots/receipt-print.png'), picture);
});

it('thirty codes a minute can be tried, right or wrong, which blocks no receipt', async () => {
  freezeClock();
  const { url, code } = (await receiptOf(paid)).body;
  const check = (text: string) => fetch(`${api.origin()}/r?code=${text}`);
  for (let i = 0; i < 30; i++) await check(String(i));
  const answer = await check(code);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await answer.text()).not.toContain('Tienda');
  expect((await fetch(url)).status).toBe(200);
});
