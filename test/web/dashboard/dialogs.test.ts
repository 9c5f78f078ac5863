/** The dialogs that move money: they send exactly what was entered, and execute it once. */
import type { Page } from 'playwright-core';
import { testDashboard } from '../../harness/browser/dashboard';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { enter, payers, url } = testDashboard(api);
const { shop } = payers;
const dialog = (page: Page) => page.locator('dialog[open]');

describe('an amount', () => {
  it('is formatted while it is typed or pasted, keeps the caret, and is refused below its field', async () => {
    const id = await shop.newCharge(await shop.newCard(), { amount: 80_000 });
    const page = await enter(`/charges/${id}`, {
      locale: 'es-CO',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Reembolsar' }).click();
    const amount = dialog(page).getByLabel('Valor');
    expect([await amount.inputValue(), await amount.getAttribute('inputmode')]).toEqual(['80.000', 'decimal']);
    await amount.fill('');
    await amount.pressSequentially('1234567,5');
    expect(await amount.inputValue()).toBe('1.234.567,5');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('00');
    expect(await amount.inputValue()).toBe('100.234.567,5');
    await page.keyboard.press('Backspace');
    expect(await amount.inputValue()).toBe('10.234.567,5');
    await page.evaluate(`navigator.clipboard.writeText('$ 90,000.25')`);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+V');
    expect(await amount.inputValue()).toBe('90.000,25');
    await dialog(page).getByRole('button', { name: 'Reembolsar' }).click();
    const refused = dialog(page).getByText('Es más de lo que queda del cobro.');
    await refused.waitFor();
    expect(await amount.getAttribute('aria-describedby')).toBe(await refused.getAttribute('id'));
    expect(await refused.getAttribute('role')).toBe('alert');
    await dialog(page).locator('[name=amount]:focus').waitFor();
    expect(await amount.inputValue()).toBe('90.000,25');
    expect((await payers.read(id)).refunds ?? []).toEqual([]);
  });

  it('with separated thousands is that many pesos, also in a nested input', async () => {
    const page = await enter('/plans');
    await page.getByRole('button', { name: 'Create plan' }).first().click();
    await dialog(page).getByLabel('Name').fill('Thousands');
    const amount = dialog(page).getByLabel('Amount');
    await amount.fill('0');
    await dialog(page).getByRole('button', { name: 'Create plan' }).click();
    const refused = dialog(page).getByText('amount must be greater than zero');
    await refused.waitFor();
    expect(await amount.getAttribute('aria-describedby')).toBe(await refused.getAttribute('id'));
    await amount.fill('49.900,50');
    await dialog(page).getByRole('button', { name: 'Create plan' }).click();
    await page.waitForURL(url('/plans/*'));
    expect((await api.rest('GET', '/plans')).body).toMatchObject([{ name: 'Thousands', amount: 49_900.5 }]);
  });

  it('filters a list', async () => {
    const page = await enter('/charges');
    await page.getByRole('button', { name: 'Amount', exact: true }).click();
    await page.getByLabel('from').first().fill('49.900,50');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(url('/charges?amount=49900.50..'));
    await page.getByRole('button', { name: 'Amount: from $ 49.900,50', exact: true }).waitFor();
  });

  it('in the address with separated thousands is not used as a filter: the list shows the error', async () => {
    const page = await enter('/charges?amount=49.900..');
    await page.getByRole('button', { name: 'Amount: from 49.900', exact: true }).waitFor();
    await page.getByRole('alert').getByText('three decimals or more').waitFor();
    expect(await page.getByRole('table', { name: 'Charges' }).count()).toBe(0);
  });
});

describe('a payment whose response was lost', () => {
  const keysOf = (page: Page): string[] => {
    const keys: string[] = [];
    page.on('request', request => {
      const key = request.headers()['idempotency-key'];
      if (key) keys.push(key);
    });
    return keys;
  };
  const charge = async (page: Page, amount = '45000'): Promise<void> => {
    await page.getByRole('button', { name: 'Charge', exact: true }).click();
    await dialog(page).getByLabel('Amount').fill(amount);
    await dialog(page).getByLabel('Description').fill('Course');
    await dialog(page).getByRole('button', { name: 'Charge', exact: true }).click();
  };
  const withCard = async (): Promise<[customer: string, page: Page]> => {
    const customer = await shop.newCustomer();
    await shop.newCard(`/customers/${customer}/cards`);
    return [customer, await enter(`/customers/${customer}`)];
  };
  const chargesOf = async (customer: string): Promise<{ amount: number }[]> =>
    (await api.rest('GET', `/customers/${customer}/charges`)).body;

  it('repeats the same request when it is sent again, even after the dialog was closed', async () => {
    const [customer, page] = await withCard();
    const keys = keysOf(page);
    await page.route('**/graphql', async route => {
      if (!route.request().headers()['idempotency-key']) return route.continue();
      // The server executes the request, and the network fails before the response.
      await route.fetch();
      await route.abort();
    });
    await charge(page);
    await dialog(page).getByText('We could not reach the server. Try again.').waitFor();
    await page.unroute('**/graphql');
    await dialog(page).getByRole('button', { name: 'Not now' }).click();
    await charge(page);
    await page.waitForURL(url('/charges/*'));
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(2);
    expect(await chargesOf(customer)).toMatchObject([{ amount: 45_000 }]);
  });

  it.each([1002, 1008, 1010, 1011])(
    'keeps its idempotency key after %i, which does not decide the outcome',
    async error_code => {
      const [, page] = await withCard();
      const keys = keysOf(page);
      await page.route('**/graphql', route =>
        route.request().headers()['idempotency-key']
          ? route.fulfill({ json: { errors: [{ message: 'Not begun', extensions: { error_code } }] } })
          : route.continue(),
      );
      await charge(page);
      await dialog(page).getByText('Not begun').waitFor();
      await page.unroute('**/graphql');
      await dialog(page).getByRole('button', { name: 'Charge', exact: true }).click();
      await page.waitForURL(url('/charges/*'));
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    },
  );

  it('uses a new idempotency key after a refusal, and with another amount', async () => {
    const [customer, page] = await withCard();
    const keys = keysOf(page);
    await charge(page, '0');
    const send = dialog(page).getByRole('button', { name: 'Charge', exact: true });
    const refused = dialog(page).getByText('amount must be greater than zero');
    await refused.waitFor();
    await Promise.all([page.waitForResponse('**/graphql'), send.click()]);
    await refused.waitFor();
    await dialog(page).getByLabel('Amount').fill('49900');
    await send.click();
    await page.waitForURL(url('/charges/*'));
    expect(new Set(keys).size).toBe(3);
    expect(await chargesOf(customer)).toMatchObject([{ amount: 49_900 }]);
  });
});

it('a dialog cannot be closed while its request runs, so that a secret that is shown once is not missed', async () => {
  const page = await enter('/webhooks');
  await page.getByRole('button', { name: 'Create webhook', exact: true }).first().click();
  await dialog(page).getByLabel('URL', { exact: true }).fill('https://shop.example/secret');
  let answer = (): void => undefined;
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  await page.route('**/graphql', async route => {
    if (route.request().headers()['idempotency-key']) await held;
    await route.continue();
  });
  await dialog(page).getByRole('button', { name: 'Create webhook', exact: true }).click();
  const close = dialog(page).getByRole('button', { name: 'Not now' });
  await dialog(page).locator('[aria-busy=true]').waitFor();
  expect(await close.isDisabled()).toBe(true);
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape');
  expect(await close.isVisible()).toBe(true);
  answer();
  await dialog(page).locator('.once code').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
});
