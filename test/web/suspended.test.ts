/** Payment pages of a suspended merchant: no payer can pay, and after the resumption the same link works. */

import type { Mail } from '../../src/notifications/email/mailer';
import { drainOutbox } from '../../src/operations/background/outbox';
import { outboxHandlers } from '../../src/operations/background/outboxHandlers';
import { payByCard } from '../../src/payments/charges/pending/payByCard';
import { reloadTransaction } from '../../src/payments/charges/rows';
import { readCard } from '../../src/web/cardForm';
import { heading, pay, send, testPayers, typed } from '../harness/browser/payers';
import { suspension } from '../harness/merchant/suspension';
import { testApi } from '../harness/servers/api';
import { vault } from '../harness/world/secrets';

const api = testApi({ ownServer: true });
const { open, newPayment, newTransfer, newVoucher, chargesOf, read, shop } = testPayers(api);
const { suspend, resume } = suspension(api);
const form = { ...typed, attempt: '0' };

it('the card form is replaced by an explanation, even on pages that were open, and works after the resumption', async () => {
  const { id, url } = await newPayment();
  const page = await open(url);
  await suspend('Documents are missing');
  await pay(page);
  expect(await heading(page)).toBe('Este pago no está disponible por ahora');
  const text = await page.textContent('main');
  expect(text).toContain('no se hizo ningún cobro');
  expect(text).toContain('Tienda');
  // The reason is between the merchant and its operator.
  expect(await page.content()).not.toContain('Documents');
  expect(await page.$('form')).toBeNull();
  const english = await fetch(`${url}?lang=en`);
  expect([english.status, await english.text()]).toEqual([
    423,
    expect.stringContaining('This payment is not available for now'),
  ]);
  expect(chargesOf(id)).toEqual([]);
  await resume();
  await page.goto(url);
  await pay(page);
  expect(chargesOf(id)).toEqual(['approved']);
});

it('a form that is refused by the database during a suspension charges nothing', async () => {
  const { id, url } = await newPayment();
  const db = api.database.db();
  const payment = await reloadTransaction(db, id);
  await suspend();
  const { details } = readCard(new URLSearchParams(form), 'sandbox', new Date());
  if (!details) throw new Error('the card is good');
  const payer = { address: '127.0.0.1', device_session_id: null, installments: 1 };
  const declines = { begin: async () => ({ end: async () => undefined }) } as never;
  const services = { db, vault, declines, acquirer: undefined as never, fraud: undefined as never };
  const left = await payByCard(services, payment, 0, details, payer);
  expect(left).toMatchObject({ status: 'charge_pending', attempts: 0 });
  expect((await send(url, form)).status).toBe(303);
  expect(chargesOf(id)).toEqual([]);
  await resume();
});

it('vouchers and bank payments show the explanation too; payments that were made anyway are shown as paid', async () => {
  const { id, url } = await newTransfer();
  const voucher = await newVoucher();
  const { receipt_url } = voucher.payment_method;
  await suspend();
  for (const address of [url, `${url}/return`, receipt_url, `${receipt_url}.pdf`]) {
    const answer = await fetch(address);
    // The merchant of a bank payment may have a redirect URL.
    expect([answer.status, await answer.text()]).toEqual([
      423,
      expect.stringContaining('Este pago no está disponible por ahora'),
    ]);
  }
  for (const each of [id, voucher.id]) await shop.post(`/sandbox/charges/${each}/pay`, {});
  for (const address of [url, receipt_url]) expect(await (await fetch(address)).text()).toContain('Pago aprobado');
  expect(await read(voucher.id)).toMatchObject({ status: 'completed' });
  await resume();
});

it('the e-mail with the link is delayed', async () => {
  const db = api.database.db();
  await db.outbox.deleteMany();
  await shop.post('/charges', { ...shop.redirect, send_email: true });
  await suspend();
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => ({ provider_id: String(mails.push(mail)) }), close: () => undefined };
  const drain = () =>
    drainOutbox(
      db,
      outboxHandlers('mail', { db, mailers: { production: mailer, sandbox: mailer, close: () => undefined } }),
    );
  await drain();
  expect([mails.length, await db.outbox.count({ where: { kind: 'payment_mail' } })]).toEqual([0, 1]);
  await resume();
  await db.outbox.updateMany({ data: { again_at: new Date() } });
  await drain();
  expect(mails).toHaveLength(1);
});
