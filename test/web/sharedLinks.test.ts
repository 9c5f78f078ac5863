/** Payers use links that several payers can use: on a phone and a desktop, in Spanish and English. */
import type { Page } from 'playwright-core';
import { expectGoodLooks } from '../harness/browser/accessibility';
import { fill, heading, pay, press, testPayers } from '../harness/browser/payers';
import { paymentLink, paymentLinks } from '../harness/merchant/paymentLinks';
import { testApi } from '../harness/servers/api';

const api = testApi({ trustedProxies: ['127.0.0.1'] });
const { open, shop } = testPayers(api);
const { newLink, newPlanLink, read } = paymentLinks(api);

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

it('a link to a plan subscribes a payer with a trial and a coupon', async () => {
  await shop.post('/coupons', { code: 'BIENVENIDA', percent_off: 50, duration: 'periods', periods: 3 });
  const plan = { name: 'Club de café', trial_days: 7, iva: '19%' };
  const { id, url } = await newPlanLink(plan, { accepts_coupons: true, description: 'Dos bolsas al mes' });
  const page = await open(url);
  expect(await heading(page)).toBe('Suscríbete');
  await page.fill('#coupon', 'NINGUNO');
  await press(page, '.coupon button');
  expect(await page.textContent('#coupon-hint')).toContain('Este código no existe');
  await expectGoodLooks(page, 'link-plan-wrong');
  await page.fill('#coupon', 'BIENVENIDA');
  await press(page, '.coupon button');
  expect(await page.textContent('dl')).toMatch(
    /Descuento BIENVENIDA−\$\s24\.950.*Primer cobro.*\$\s24\.950.*Desde.*\$\s49\.900/s,
  );
  await page.fill('#name', 'Ana Ruiz');
  await fill(page);
  await page.click('form[method=post] button');
  expect(await page.textContent('#email-hint')).toContain('Escribe un correo');
  expect(await page.textContent('#consent-hint')).toContain('Marca esta casilla');
  await page.fill('#email', 'ana@example.com');
  await page.check('#consent');
  await expectGoodLooks(page, 'link-plan');
  await press(page, 'form[method=post] button');
  expect(await heading(page)).toBe('Tu período de prueba empezó');
  expect(await read(id)).toMatchObject({ status: 'active', funnel: { started: 1, paid: 1 } });
  const framed = await fetch(url);
  expect(framed.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

it('a payer whose first charge is declined pays with another card, in English', async () => {
  const { url } = await newPlanLink({ name: 'Coffee club' });
  const page = await open(`${url}?lang=en`);
  await page.fill('#name', 'Ana Ruiz');
  await page.fill('#email', 'ana@example.com');
  await page.check('#consent');
  await fill(page, { card_number: '4000000000003345' });
  await press(page, 'form[method=post] button');
  expect(await heading(page)).toBe('Your subscription was created without its first payment');
  await expectGoodLooks(page, 'link-plan-declined');
  await press(page, 'text=Pay with another card');
  await pay(page);
  expect(await page.textContent('main')).toContain('Coffee club');
  await page.goBack();
});
