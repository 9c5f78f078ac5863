/** The replacement of a plan on its page: the preview, the progress, and the changes of the subscribers. */
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testSignedInDashboard } from '../../harness/browser/signedInDashboard';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api, shop } = billing;
const { enter } = testSignedInDashboard(api);
const [{ viewport: phone }] = screens;

it('a replacement shows its sums before, its progress to the end, and the subscribers that keep the plan', async () => {
  const plan_id = await shop.newPlan({ name: 'Monthly', amount: 30_000 });
  const changing = [
    await billing.subscribe('2040-01-10', { plan_id }),
    await billing.subscribe('2040-01-10', { plan_id, quantity: 2 }),
  ];
  const keeping = await billing.subscribe('2040-01-10', { plan_id });
  const premium = await shop.newPlan({ name: 'Premium' });
  expect(await keeping.change({ plan_id: premium })).toMatchObject({ status: 200 });

  const page = await enter(`/plans/${plan_id}`, { viewport: phone });
  const dialog = page.locator('dialog[open]');
  const fact = (name: string) => dialog.locator('.preview dl > div', { hasText: name }).locator('dd').textContent();
  await page.getByRole('button', { name: 'Replace plan' }).click();
  await dialog.getByText('Enter another name or another amount.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Replace plan' }).isDisabled()).toBe(true);
  expect(await dialog.getByLabel('Name of the successor').inputValue()).toBe('Monthly');
  await dialog.getByLabel('Amount').fill('45000');
  const replace = dialog.getByRole('button', { name: 'Replace and change 2 subscribers' });
  await replace.waitFor();
  expect(await fact('Keep this plan')).toBe('1');
  expect(await fact('Sum now')).toBe('$ 90.000 every month');
  expect(await fact('Sum with the successor')).toBe('$ 135.000 every month');
  expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);
  await dialog.getByLabel('Change all subscribers at their period end').uncheck();
  await dialog.getByRole('button', { name: 'Create the successor' }).waitFor();
  await dialog.getByText('Current subscribers keep this plan.').waitFor();
  await dialog.getByLabel('Change all subscribers at their period end').check();
  await dialog.getByLabel('Name of the successor').fill('Monthly 2040');

  const section = page.getByRole('region', { name: 'Plan replacement' });
  // A locked subscriber keeps the replacement running.
  await api.database.db().$transaction(
    async tx => {
      await tx.$queryRaw`select id from subscriptions where id = ${changing[0]?.id} for update`;
      await replace.click();
      await section.getByText('0 of 3').waitFor();
      await section.getByText('running', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Replace plan' }).count()).toBe(0);
      expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);
    },
    { timeout: 60_000 },
  );
  await section.getByText('2 of 3').waitFor();
  await section.getByText('done', { exact: true }).waitFor();
  await section.getByText('1 subscription keeps this plan').click();
  await section.getByText('has a planned change to another plan').waitFor();
  await section.locator(`a[href$="/subscriptions/${keeping.id}"]`).waitFor();
  await page.getByText('deleted', { exact: true }).waitFor();
  expect([await overflowOf(page), ...(await seriousViolations(page))]).toEqual([0]);

  await section.getByText('$ 45.000 COP every month').waitFor();
  await section.getByRole('link', { name: 'Monthly 2040' }).click();
  await page.getByRole('heading', { name: 'Monthly 2040' }).waitFor();
  const successor = new URL(page.url()).pathname.split('/').at(-1);
  for (const subscription of changing)
    expect(await subscription.read()).toMatchObject({ plan_id, pending_change: { plan_id: successor } });
  expect(await keeping.read()).toMatchObject({ pending_change: { plan_id: premium } });
});
