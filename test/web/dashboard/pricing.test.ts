/** Plan changes, coupons, extras and credit on the page of a subscription, each with its preview. */
import type { Page } from 'playwright-core';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testSignedInDashboard } from '../../harness/browser/signedInDashboard';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api, shop } = billing;
const { enter } = testSignedInDashboard(api);
const [{ viewport: phone }] = screens;

type Subscribed = Awaited<ReturnType<typeof billing.subscribe>>;
async function visit({ id }: Subscribed, options: object = { viewport: phone }): Promise<Page> {
  const page = await enter(`/subscriptions/${id}`, options);
  await page.locator('.timeline-item').first().waitFor();
  return page;
}

const dialogOf = (page: Page) => page.locator('dialog[open]');
const openDialog = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).first().click();
  return dialogOf(page);
};
const fact = (page: Page, name: string) => dialogOf(page).locator('.preview dl > div', { hasText: name }).locator('dd');
const line = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Next charge' }).getByRole('row', { name }).getByRole('cell');

const newCoupon = async (code: string, overrides: object = {}): Promise<void> => {
  const coupon = { code, percent_off: 20, duration: 'periods', periods: 2, ...overrides };
  expect(await shop.post('/coupons', coupon)).toMatchObject({ status: 201 });
};

it('a change shows what it charges, and its button charges that or plans it', async () => {
  const pro = await shop.newPlan({ name: 'Pro', amount: 99_900 });
  const subscription = await billing.subscribe('2040-01-10');
  await subscription.moveTo('2040-01-20');
  const page = await visit(subscription);
  const dialog = await openDialog(page, 'Change plan');
  await dialog.getByText('Choose another plan, another quantity or a coupon.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Change plan' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Plan', { exact: true }).selectOption(pro);
  await dialog.getByLabel('Quantity').fill('2');
  await dialog.getByRole('button', { name: 'Schedule the change' }).waitFor();
  expect(await fact(page, 'Next charge').textContent()).toBe('$ 199.800 on 10 Feb 2040');
  await dialog.getByLabel('When').selectOption('now');
  // 21 of 31 days of 49,900.
  await dialog.getByRole('button', { name: 'Change and charge $ 165.996,77' }).waitFor();
  expect(await fact(page, 'Credit for unused days').textContent()).toBe('$ 33.803,23');
  expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);
  await dialog.getByLabel('Credit the unused days').uncheck();
  await dialog.getByRole('button', { name: 'Change and charge $ 199.800' }).waitFor();
  await dialog.getByLabel('Credit the unused days').check();
  await dialog.getByRole('button', { name: 'Change and charge $ 165.996,77' }).click();
  await page.getByRole('heading', { name: 'Pro × 2' }).waitFor();
  expect(await subscription.read()).toMatchObject({ plan_id: pro, quantity: 2, current_period_number: 2 });
  expect((await subscription.charges()).at(-1)).toMatchObject({ amount: 165_996.77, status: 'completed' });

  await openDialog(page, 'Change plan');
  await dialog.getByLabel('Quantity').fill('1');
  await dialog.getByRole('button', { name: 'Schedule the change' }).click();
  const planned = page.getByRole('region', { name: 'Next charge' }).getByText('It changes to', { exact: false });
  expect(await planned.textContent()).toBe('It changes to Pro · $ 99.900 every month on 20 Feb 2040.');
  await page.locator('[data-mark=plan][data-day="2040-02-20"]').waitFor();
  expect(await line(page, 'Total on 20 Feb 2040').textContent()).toContain('$ 99.900');
  await openDialog(page, 'Withdraw the change');
  await dialog.getByText('The subscription continues with Pro × 2').waitFor();
  await dialog.getByRole('button', { name: 'Withdraw the change' }).click();
  await planned.waitFor({ state: 'detached' });
  expect(await subscription.read()).not.toHaveProperty('pending_change');
});

it('a declined change and one that is not allowed say so in the dialog, and change nothing', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  await shop.script(subscription.card_id, 3003);
  const page = await visit(subscription, { viewport: phone, locale: 'es-CO' });
  const dialog = await openDialog(page, 'Cambiar plan');
  await dialog.getByLabel('Cantidad').fill('2');
  await dialog.getByLabel('Cuándo').selectOption('now');
  await dialog.getByRole('button', { name: 'Cambiar y cobrar $ 49.900' }).click();
  await dialog.getByText('La tarjeta no tiene fondos suficientes').waitFor();
  expect(await subscription.read()).toMatchObject({ quantity: 1, current_period_number: 1 });
  await page.keyboard.press('Escape');
  expect((await shop.post(`${subscription.path}/pause`, {})).status).toBe(200);
  await subscription.moveTo('2040-02-10');
  await page.getByRole('button', { name: 'Cambiar plan' }).click();
  await dialog.getByLabel('Cantidad').fill('2');
  await dialog.getByLabel('Cuándo').selectOption('now');
  await dialog.getByText('La suscripción está en pausa: primero reanúdala.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Cambiar plan' }).isDisabled()).toBe(true);
});

it('a coupon and extras show the next charge before they are added, and its lines afterwards', async () => {
  await newCoupon('LAUNCH20');
  const subscription = await billing.subscribe('2040-01-10');
  const page = await visit(subscription);
  const dialog = await openDialog(page, 'Add coupon');
  await dialog.getByLabel('Coupon code').fill('nothing');
  await dialog.getByText('coupon does not exist, has expired, is used up, or is not for this plan').waitFor();
  await dialog.getByLabel('Coupon code').fill('launch20');
  await dialog.getByText('$ 39.920 on 10 Feb 2040').waitFor();
  await dialog.getByRole('button', { name: 'Add coupon' }).click();
  await page.getByText('20 % · 2 periods left').waitFor();
  await page.locator('[data-mark=coupon][data-day="2040-04-10"]').waitFor();

  await openDialog(page, 'Add extra');
  await dialog.getByLabel('Description for the payer').fill('Installation');
  await dialog.getByLabel('Amount').fill('30000');
  await dialog.getByText('$ 69.920 on 10 Feb 2040').waitFor();
  await dialog.getByRole('button', { name: 'Add extra' }).click();
  await line(page, 'Installation').getByText('$ 30.000').waitFor();
  await openDialog(page, 'Add extra');
  await dialog.getByLabel('Type').selectOption('courtesy');
  await dialog.getByLabel('Description for the payer').fill('Outage');
  await dialog.getByLabel('Amount').fill('5000');
  await dialog.getByText('$ 64.920 on 10 Feb 2040').waitFor();
  await dialog.getByRole('button', { name: 'Add extra' }).click();
  await line(page, 'Total on 10 Feb 2040').getByText('$ 64.920').waitFor();
  expect(await line(page, 'Discount LAUNCH20').textContent()).toContain('− $ 9.980');
  const adjustments = page.getByRole('region', { name: 'Adjustments' });
  expect(await adjustments.getByRole('row', { name: 'Sum' }).textContent()).toContain('$ 25.000');
  expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);

  await adjustments.getByRole('row', { name: 'Outage' }).getByRole('button').click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await adjustments.getByRole('rowheader', { name: 'Outage' }).waitFor({ state: 'detached' });
  await openDialog(page, 'Remove coupon');
  await dialog.getByRole('button', { name: 'Remove coupon' }).click();
  await page.getByText('No coupon.').waitFor();
  expect((await subscription.read()).extras).toMatchObject([{ description: 'Installation', amount: 30_000 }]);

  await subscription.moveTo('2040-02-10');
  const [, renewal] = await subscription.charges();
  expect(renewal.amount).toBe(79_900);
  await page.goto(`${api.origin()}/dashboard/charges/${renewal.id}`);
  const breakdown = page.getByRole('region', { name: 'Breakdown' });
  await breakdown.waitFor();
  expect(await breakdown.getByRole('row').allTextContents()).toEqual([
    expect.stringMatching(/^Monthly\s*\$ 49.900/),
    expect.stringMatching(/^Installation\s*\$ 30.000/),
    expect.stringMatching(/^Total\s*\$ 79.900/),
  ]);
});

it('an ended subscription shows the credit that is owed, also on the home screen, until it is returned', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const mini = await shop.newPlan({ name: 'Mini', amount: 9_900 });
  expect((await shop.post(`${subscription.path}/change`, { plan_id: mini, when: 'now' })).status).toBe(200);
  await subscription.remove();
  const page = await enter('', { viewport: phone });
  await page.getByRole('link', { name: /you owe \$ 40.000 to the payer/ }).click();
  await page.getByRole('heading', { name: 'You owe $ 40.000 to the payer' }).waitFor();
  expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);
  const dialog = await openDialog(page, 'Mark as returned');
  await dialog.getByText('Have you returned $ 40.000 to the payer?', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Mark as returned' }).click();
  await page.getByRole('heading', { name: 'You owe' }).waitFor({ state: 'detached' });
  expect(await subscription.read()).not.toHaveProperty('credit_balance');
});
