/** Payers use links that several payers can use: on a phone and a desktop, in Spanish and English. */
import type { Page } from 'playwright-core';
import { expectGoodLooks } from '../harness/browser/accessibility';
import { heading, pay, press, testPayers } from '../harness/browser/payers';
import { paymentLink, paymentLinks } from '../harness/merchant/paymentLinks';
import { testApi } from '../harness/servers/api';

const api = testApi({ trustedProxies: ['127.0.0.1'] });
const { open } = testPayers(api);
const { newLink, read } = paymentLinks(api);

const anyMethod = { ...paymentLink, methods: ['card', 'bank_account', 'store'] };

async function choose(page: Page, method: string): Promise<void> {
  await page.getByLabel(method).check();
  await page.fill('#name', 'Ana');
  await page.fill('#email', 'ana@example.com');
  await press(page);
}

it('a reusable link lets each payer choose or enter the amount', async () => {
  const amounts = { min_amount: 5000, max_amount: 500_000, suggested_amounts: [20_000, 50_000], amount: undefined };
  const { id, url } = await newLink({ ...anyMethod, ...amounts, description: 'Donación', reusable: true });
  const page = await open(url);
  expect(await page.isVisible('#amount')).toBe(false);
  await page.getByLabel('Otro valor').check();
  await page.fill('#amount', '4.000');
  await choose(page, 'Tarjeta de crédito o débito');
  expect(await page.textContent('#amount-hint')).toContain('Entre $\u00a05.000 y $\u00a0500.000');
  await expectGoodLooks(page, 'link-amount-wrong');
  await page.fill('#amount', '35.000');
  await choose(page, 'Tarjeta de crédito o débito');
  expect(await page.textContent('form > button')).toBe('Pagar $\u00a035.000');
  await pay(page);
  expect(await heading(page)).toBe('Pago aprobado');
  await page.goto(url);
  await page.getByLabel('50.000').check();
  await expectGoodLooks(page, 'link-amount');
  await choose(page, 'Tarjeta de crédito o débito');
  await pay(page);
  expect(await read(id)).toMatchObject({ status: 'active', funnel: { started: 2, paid: 2 } });
});
