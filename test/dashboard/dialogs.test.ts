/** The dialogs in which money is moved: what was typed is what is sent, and nothing is done twice or lost. */
import type { Page } from 'playwright-core';
import { testDashboard } from '../harness/browser/dashboard';
import { testApi } from '../harness/servers/api';

const api = testApi();
const { enter, people, url } = testDashboard(api);
const { shop } = people;
const dialog = (page: Page) => page.locator('dialog[open]');

describe('an amount with separated thousands', () => {
  const refusal = {
    en: 'amount has three decimals or more',
    'es-CO': 'Los miles van sin separar: 100000, y no 100.000.',
  };

  it('is refused under its field, and nothing is refunded', async () => {
    const id = await shop.newCharge(await shop.newCard(), { amount: 80_000 });
    const page = await enter(`/charges/${id}`, { locale: 'es-CO' });
    await page.getByRole('button', { name: 'Reembolsar' }).click();
    const amount = dialog(page).getByLabel('Valor');
    await amount.fill('49.900');
    await dialog(page).getByRole('button', { name: 'Reembolsar' }).click();
    const refused = dialog(page).getByText(refusal['es-CO']);
    await refused.waitFor();
    expect(await amount.getAttribute('aria-describedby')).toBe(await refused.getAttribute('id'));
    expect(await amount.inputValue()).toBe('49.900');
    expect((await people.read(id)).refunds ?? []).toEqual([]);
  });

  it('is refused under its field where it is a part of what is sent', async () => {
    const page = await enter('/plans');
    await page.getByRole('button', { name: 'Create a plan' }).first().click();
    await dialog(page).getByLabel('Name').fill('Thousands');
    const amount = dialog(page).getByLabel('Amount');
    await amount.fill('49.900');
    await dialog(page).getByRole('button', { name: 'Create a plan' }).click();
    const refused = dialog(page).getByText(refusal.en);
    await refused.waitFor();
    expect(await amount.getAttribute('aria-describedby')).toBe(await refused.getAttribute('id'));
    expect((await api.rest('GET', '/plans')).body).toEqual([]);
    await amount.fill('49900.50');
    await dialog(page).getByRole('button', { name: 'Create a plan' }).click();
    await page.waitForURL(url('/plans/*'));
    expect((await api.rest('GET', '/plans')).body).toMatchObject([{ name: 'Thousands', amount: 49_900.5 }]);
  });

  it('filters nothing: the list says why', async () => {
    const page = await enter('/charges?amount=49.900..');
    await page.getByRole('button', { name: 'Amount: from 49.900', exact: true }).waitFor();
    await page.getByRole('alert').getByText('three decimals or more').waitFor();
    expect(await page.getByRole('table', { name: 'Charges' }).count()).toBe(0);
  });
});
