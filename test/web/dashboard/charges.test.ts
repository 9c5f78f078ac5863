/** Charges in the dashboard: the list and the actions match the API. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { testDashboard } from '../../harness/browser/dashboard';
import { sizes } from '../../harness/browser/payers';
import { testApi } from '../../harness/servers/api';
import { eventStreamIsOpen } from './eventStream';

const api = testApi();
const { enter, payers, url } = testDashboard(api);
const { shop } = payers;

const table = (page: Page) => page.getByRole('table', { name: 'Charges' });
const dialog = (page: Page) => page.locator('dialog[open]');
const rowsOf = async (page: Page): Promise<number> => (await table(page).getByRole('row').count()) - 1;

describe('the list', () => {
  let card = '';
  beforeAll(async () => {
    card = await shop.newCard();
    await shop.newCharge(card, { amount: 10_000_000, description: 'Large' });
    await shop.script(card, 3003);
    await shop.post('/charges', { ...shop.charge, source_id: card, customer: shop.payer, description: 'No funds' });
    await shop.newCharge(card, { amount: 5000.5, description: '=SUM(1), "quoted";+2', order_id: 'order-1' });
    await shop.newCharge(card, { capture: false, description: 'Reserved' });
  });

  it('applies the filters in the URL, also after a reload, and shows all charges without them', async () => {
    const page = await enter('/charges');
    await table(page).getByText('Large').waitFor();
    const all = await rowsOf(page);
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByLabel('failed').check();
    await page.getByLabel('in progress').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL('**/charges?status=failed%2Cin_progress');
    await table(page).getByText('Large').waitFor({ state: 'detached' });
    await table(page).getByText('No funds').waitFor();
    expect(await table(page).getByRole('link').allTextContents()).toEqual(['Reserved', 'No funds']);
    await table(page).getByText('Insufficient funds').waitFor();
    await page.reload();
    await table(page).getByText('Reserved').waitFor();
    expect(await rowsOf(page)).toBe(2);
    await page.getByRole('button', { name: 'Clear: Status' }).click();
    await table(page).getByText('Large').waitFor();
    expect(await rowsOf(page)).toBe(all);
  });

  it('applies ranges of amounts and days, the decline reason and the order number in the URL', async () => {
    const page = await enter();
    const seen = async (query: string, chip: string): Promise<string[]> => {
      await page.goto(url(`/charges?${query}`));
      await page.getByRole('button', { name: chip, exact: true }).waitFor();
      await table(page).waitFor();
      return table(page).getByRole('link').allTextContents();
    };
    const quoted = '=SUM(1), "quoted";+2';
    expect(await seen('amount=5000..6000', 'Amount: $ 5.000 – $ 6.000')).toEqual([quoted]);
    expect(await seen('amount=6000..', 'Amount: from $ 6.000')).toEqual(['Reserved', 'No funds', 'Large']);
    expect(await seen('created=2020-01-01..&order=order-1', 'Order: order-1')).toEqual([quoted]);
    expect(await seen('reason=3003', 'Reason: Insufficient funds')).toEqual(['No funds']);
    await page.goto(url('/charges?created=..2020-01-01'));
    await page.getByText('No results match these filters.').waitFor();
  });

  it('exports the selected columns of the same charges as the API to CSV', async () => {
    const page = await enter('/charges');
    await table(page).getByText('Large').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('ID').check();
    for (const name of ['Payment method', 'Created', 'Payer', 'Reason'])
      await page.getByLabel(name, { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const { body } = await api.rest('GET', '/charges?limit=100');
    const lines = (body as { id: string; amount: number; status: string; description: string }[]).map(
      ({ id, amount, status, description }) =>
        `${description.startsWith('=') ? `"'=SUM(1), ""quoted"";'+2"` : description},${amount},${status},${id}`,
    );
    expect(readFileSync(await file.path(), 'utf8')).toBe(
      `\uFEFF${['Description,Amount,Status,ID', ...lines].map(line => `${line}\r\n`).join('')}`,
    );
  });

  it('shows a new charge without a reload', async () => {
    const page = await enter('/charges');
    await table(page).getByText('Large').waitFor();
    await page.getByRole('img', { name: 'Live', exact: true }).waitFor();
    await eventStreamIsOpen(page);
    await shop.newCharge(card, { description: 'Meanwhile' });
    await table(page).getByText('Meanwhile').waitFor();
  });
});

describe('the page of a charge', () => {
  it('leads to the receipt of a paid charge only', async () => {
    const card = await shop.newCard();
    const page = await enter(`/charges/${await shop.newCharge(card, { capture: false, description: 'Reserved' })}`);
    await page.getByRole('button', { name: 'Capture' }).waitFor();
    const receipt = page.getByRole('link', { name: 'Receipt', exact: true });
    expect(await receipt.count()).toBe(0);
    const id = await shop.newCharge(card, { description: 'Paid' });
    await page.goto(url(`/charges/${id}`));
    expect(await receipt.getAttribute('href')).toBe((await api.rest('GET', `/charges/${id}/receipt`)).body.url);
  });

  it('refunds: an excessive amount is refused below its field, and a refund appears here and in the API', async () => {
    const card = await shop.newCard();
    await shop.newCharge(card, { amount: 10_000_000 });
    const id = await shop.newCharge(card, { amount: 80_000.3, description: 'Shoes' });
    const page = await enter(`/charges/${id}`);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const amount = dialog(page).getByLabel('Amount');
    expect(await amount.inputValue()).toBe('80.000,30');
    await amount.fill('80000,31');
    await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
    const refused = dialog(page).getByText('amount is more than the amount left to refund of the charge');
    await refused.waitFor();
    expect(await amount.getAttribute('aria-describedby')).toBe(await refused.getAttribute('id'));
    expect((await payers.read(id)).refunds ?? []).toEqual([]);
    await amount.fill('30000,1');
    await dialog(page).getByLabel('Reason').fill('Wrong size');
    await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('table', { name: 'Refunds' }).getByText('Wrong size').waitFor();
    expect((await payers.read(id)).refund).toMatchObject({ amount: 30_000.1, description: 'Wrong size' });
    await page.getByText('charge.refunded').waitFor();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    expect(await dialog(page).getByLabel('Amount').inputValue()).toBe('50.000,20');
  });

  it('shows the key of a Bre-B payment, simulates the payment and refunds it', async () => {
    const { id, payment_method } = await payers.newVoucher({ method: 'bre_b' });
    const page = await enter(`/charges/${id}`);
    await page.getByText(payment_method.key).waitFor();
    expect(await page.getByText('Bre-B', { exact: true }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
    for (const name of ['Simulate the payment', 'Refund']) {
      await page.getByRole('button', { name, exact: true }).click();
      await dialog(page).getByRole('button', { name, exact: true }).click();
    }
    await page.getByRole('table', { name: 'Refunds' }).waitFor();
    expect(await payers.read(id)).toMatchObject({ status: 'refunded', refund: { method: 'bre_b', amount: 100000 } });
  });

  it('explains a refused refund in Spanish to a Spanish reader', async () => {
    const id = await shop.newCharge(await shop.newCard(), { amount: 1000 });
    const page = await enter(`/charges/${id}`, { locale: 'es-CO' });
    await page.getByRole('button', { name: 'Reembolsar' }).click();
    await dialog(page).getByLabel('Valor').fill('2000');
    await dialog(page).getByRole('button', { name: 'Reembolsar' }).click();
    await dialog(page).getByText('Es más de lo que queda del cobro.').waitFor();
  });

  it('captures a part of an authorization', async () => {
    const id = await shop.newCharge(await shop.newCard(), { amount: 80_000, capture: false });
    const page = await enter(`/charges/${id}`, { viewport: sizes.phone });
    await page.getByRole('button', { name: 'Capture' }).click();
    await dialog(page).getByLabel('Amount').fill('60000');
    await dialog(page).getByRole('button', { name: 'Capture' }).click();
    await page.getByRole('heading', { name: '$ 60.000' }).waitFor();
    await page.locator('.page-head').getByText('approved').waitFor();
    expect(await payers.read(id)).toMatchObject({ status: 'completed', amount: 60_000 });
  });

  it('opens and decides a dispute in the sandbox', async () => {
    const id = await shop.newCharge(await shop.newCard());
    const page = await enter(`/charges/${id}`);
    await page.getByRole('button', { name: 'Simulate chargeback' }).click();
    await dialog(page).getByRole('button', { name: 'Simulate chargeback' }).click();
    await page.locator('.page-head').getByText('chargeback open').waitFor();
    await page.getByText('The payer’s bank decides this chargeback').waitFor();
    await page.getByRole('button', { name: 'Resolve chargeback' }).click();
    await dialog(page).getByLabel('Outcome').selectOption('in favor of the merchant');
    await dialog(page).getByRole('button', { name: 'Resolve chargeback' }).click();
    await page.locator('.page-head').getByText('chargeback won').waitFor();
    await page.getByText('The bank decided in your favour').waitFor();
    expect((await payers.read(id)).status).toBe('chargeback_adjustment');
  });

  it('reports an unknown charge', async () => {
    const page = await enter('/charges/t0000000000000000000');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });
});

it('a list for one customer names the customer', async () => {
  const customer = await shop.newCustomer({ name: 'Rosa', last_name: 'Gil' });
  const page = await enter(`/charges?customer=${customer}`);
  await page.getByRole('button', { name: 'Customer: Rosa Gil', exact: true }).waitFor();
  await page.goto(url('/charges?customer=a0000000000000000000'));
  await page.getByRole('button', { name: 'Customer: a0000000000000000000', exact: true }).waitFor();
});
