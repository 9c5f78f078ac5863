/** The command palette with the keyboard: search, navigation and actions on every screen. */
import type { Page } from 'playwright-core';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testDashboard } from '../../harness/browser/dashboard';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { payers, url, enter, visit, signIn } = testDashboard(api);
const { shop } = payers;
const chosen = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true });
const open = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
};
let customer: string;
let charge: string;

beforeAll(async () => {
  customer = await shop.newCustomer({ name: 'Ángela', last_name: 'Peñaloza', email: 'angela@example.com' });
  charge = await shop.newCharge(await shop.newToken(), { order_id: 'pedido-7781', amount: 81_500 });
});

it('the palette finds a customer by a part of the name and opens it; afterwards it is a recent result', async () => {
  const page = await enter();
  await open(page);
  await page.keyboard.type('penaloza');
  await page.getByText('1 result', { exact: true }).waitFor();
  await chosen(page).getByText('Ángela Peñaloza').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(url(`/customers/${customer}`));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await open(page);
  expect(await chosen(page).textContent()).toContain('Ángela Peñaloza');
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Peñaloza');
});

it('the palette finds a charge by its order, and shows its type', async () => {
  const page = await enter();
  await open(page);
  await page.keyboard.type('7781');
  await page.getByText('1 result', { exact: true }).waitFor();
  await chosen(page).getByText('$ 81.500 · pedido-7781').waitFor();
  expect(await chosen(page).textContent()).toContain('charge · approved');
  await page.keyboard.press('Enter');
  await page.waitForURL(url(`/charges/${charge}`));
});

it('the palette opens again immediately after a selection', async () => {
  const page = await enter();
  await open(page);
  await page.keyboard.type('dark');
  // Both keys are handled before the browser sends the close event of the first palette.
  await page.evaluate(`(async () => {
    const press = init =>
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }));
    press({ key: 'Enter' });
    await Promise.resolve();
    await Promise.resolve();
    press({ key: 'k', ctrlKey: true });
    await new Promise(resolve => setTimeout(resolve));
    await new Promise(requestAnimationFrame);
  })()`);
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  expect(await chosen(page).textContent()).toContain('Today');
});

it('the palette opens screens and runs commands; arrow keys wrap around, and the mouse selects too', async () => {
  const page = await enter();
  await open(page);
  await page.keyboard.press('ArrowUp');
  expect((await chosen(page).textContent())?.trim()).toBe('Sign out');
  await page.keyboard.press('ArrowDown');
  expect((await chosen(page).textContent())?.trim()).toBe('Today');
  await page.keyboard.type('dark');
  expect((await chosen(page).textContent())?.trim()).toBe('Use dark theme');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await open(page);
  await page.getByRole('option', { name: 'Webhooks', exact: true }).click();
  await page.waitForURL(url('/webhooks'));
});

it('the palette opens a creation dialog, also on the screen that contains it, and only on request', async () => {
  const page = await enter('/customers');
  const create = page.getByRole('dialog', { name: 'Create customer' });
  await page.getByRole('table', { name: 'Customers' }).waitFor();
  for (const from of ['Customers', 'Plans']) {
    await page.getByRole('link', { name: from, exact: true }).click();
    await page.getByRole('heading', { name: from, exact: true }).waitFor();
    await open(page);
    await page.keyboard.type('create a customer');
    await chosen(page).getByText('Create customer').waitFor();
    await page.keyboard.press('Enter');
    await create.waitFor();
    await create.getByRole('button', { name: 'Not now' }).click();
    await create.waitFor({ state: 'hidden' });
  }
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Customers', exact: true }).click();
  await page.getByRole('table', { name: 'Customers' }).waitFor();
  expect(await create.count()).toBe(0);
});

it('the palette explains why a text cannot be searched, and that nothing was found', async () => {
  const page = await enter();
  await open(page);
  await page.keyboard.insertText('zzzzzz');
  await page.getByRole('status').getByText('No results.').waitFor();
  await page.getByRole('combobox', { name: 'Search' }).fill('x'.repeat(101));
  const refused = (
    await api.graphql('query ($text: String!) { search(text: $text) { type } }', { text: 'x'.repeat(101) })
  ).body.errors[0].message;
  await page.getByRole('status').getByText(refused).waitFor();
});

it('the palette is closed by Escape, and restores the focus', async () => {
  const page = await enter();
  const button = page.getByRole('button', { name: 'Search' });
  await button.press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Search');
});

it('the palette offers no command that changes data in a read-only session', async () => {
  const page = await visit();
  await page.getByRole('checkbox', { name: 'Read only' }).check();
  await signIn(page);
  await page.locator('.top').getByText('Read only').waitFor();
  await page.getByRole('heading', { name: 'Collected today' }).waitFor();
  await open(page);
  await page.getByRole('option', { name: 'Sign out' }).waitFor();
  expect(await page.getByRole('option', { name: /^Create/ }).count()).toBe(0);
});

it.each(screens)('the palette fits and is accessible on $name', async ({ viewport, colorScheme }) => {
  const page = await enter('', { viewport, colorScheme });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('angela');
  await chosen(page).getByText('Ángela Peñaloza').waitFor();
  expect([await overflowOf(page), await seriousViolations(page)]).toEqual([0, []]);
});
