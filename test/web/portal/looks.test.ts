/** The portal of a customer in every size, theme and language. */
import type { Page } from 'playwright-core';
import { portalUrl } from '../../../src/billing/portals/token';
import { fromRoot } from '../../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { heading, testPayers } from '../../harness/browser/payers';
import { testBilling } from '../../harness/merchant/subscriptions';
import { vault } from '../../harness/world/secrets';

const billing = testBilling();
const { api, shop } = billing;
const payers = testPayers(api);
const DECLINES_LATER = '4000000000003345';
const BY_PHONE = { viewport: { width: 360, height: 740 } };

async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const { name: screen, viewport, colorScheme } of screens) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect([screen, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([screen, 0]);
    const path = fromRoot(`screenshots/portal-${name}-${screen}.png`);
    if (process.env.SCREENSHOTS) await page.screenshot({ path, fullPage: true });
  }
}

const portalOf = async (customer_id: string, body: object = {}): Promise<string> =>
  (await shop.post(`/customers/${customer_id}/portal`, body)).body.url;

it('with subscriptions in several states, cards and payments', async () => {
  const { customer_id, card_id } = await billing.subscribe('2040-01-10', {
    plan: { name: 'Revista Digital', iva: '19%' },
  });
  const subscribe = async (plan: object, source_id: string) => {
    const plan_id = await shop.newPlan(plan);
    return (await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id })).body;
  };
  const failing = await shop.newCard(`/customers/${customer_id}/cards`, DECLINES_LATER);
  await shop.newCard(`/customers/${customer_id}/cards`, '5555555555554444');
  const { status } = await subscribe(
    { name: 'Archivo histórico con fotografías de todos los años', amount: 1_250_000 },
    failing,
  );
  expect(status).toBe('past_due');
  await subscribe({ name: 'Podcast', amount: 9900, trial_days: 14 }, card_id);
  const url = await portalOf(customer_id, { return_url: 'https://tienda.example/cuenta' });
  const page = await payers.open(url, BY_PHONE);
  expect(await page.locator('h3').allTextContents()).toEqual([
    ...['Archivo histórico con fotografías de todos los años', 'Podcast', 'Revista Digital'],
    ...['Mastercard ···· 4444', 'Visa ···· 3345', 'Visa ···· 7748'],
  ]);
  expect(await page.locator('.chip').allTextContents()).toEqual(['Pago pendiente', 'En prueba', 'Al día']);
  expect(await page.textContent('main')).toMatch(
    /Pendiente de pago: \$\s1\.250\.000.*Próximo cobro: .*Pagos recientes/s,
  );
  await expectGoodLooks(page, 'full-es');
  await page.getByText('Quitar Mastercard').first().click();
  await expectGoodLooks(page, 'removing');
  await page.goto(`${url}?lang=en`);
  expect(await page.locator('.chip').allTextContents()).toEqual(['Payment due', 'In trial', 'Up to date']);
  await expectGoodLooks(page, 'full-en');
});

it('with nothing yet, its form, and after an hour', async () => {
  const customer_id = await shop.newCustomer();
  const page = await payers.open(await portalOf(customer_id), BY_PHONE);
  expect(await page.textContent('main')).toMatch(/No tienes suscripciones activas.*No tienes tarjetas guardadas/s);
  await expectGoodLooks(page, 'empty');
  await page.getByRole('link', { name: 'Agregar una tarjeta' }).click();
  await page.locator('form').waitFor();
  await expectGoodLooks(page, 'card');
  const token = { customer_id, expires_at: new Date('2026-01-01T00:00:00Z'), return_url: undefined };
  await page.goto(portalUrl(api.origin(), vault.linking, token));
  expect(await heading(page)).toBe('Este enlace venció');
  await expectGoodLooks(page, 'expired');
});
