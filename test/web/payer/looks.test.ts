/** The page of a subscription in every state, size, theme and language. */
import type { Page } from 'playwright-core';
import { fromRoot } from '../../../src/platform/root';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { fill, testPayers } from '../../harness/browser/payers';
import { payerPages } from '../../harness/merchant/payerPages';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling({ trustedProxies: ['127.0.0.1'] });
const { api, shop } = billing;
const payers = testPayers(api);
const { linkTo, allow, submit } = payerPages(billing);
const DECLINES = '4000000000000341';
const BY_PHONE = { viewport: { width: 360, height: 740 } };

type Options = NonNullable<Parameters<typeof billing.subscribe>[1]>;
const plan = { name: 'Revista Digital', iva: '19%' };

async function subscribed(options: Options = {}, day = '2040-01-10') {
  return billing.subscribe(day, { ...options, plan: { ...plan, ...options.plan } });
}

const states: [name: string, es: string, en: string, create: () => Promise<string>][] = [
  ['trial', 'En prueba', 'In trial', async () => linkTo(await subscribed({ plan: { trial_days: 14 } }))],
  [
    'active',
    'Al día',
    'Up to date',
    async () => {
      const subscription = await subscribed({ quantity: 2 });
      await subscription.moveTo('2040-02-11');
      return linkTo(subscription);
    },
  ],
  ['soft-decline', 'Pago pendiente', 'Payment due', async () => linkTo(await subscribed({ card: '4000000000003345' }))],
  [
    'hard-decline',
    'Pago pendiente',
    'Payment due',
    async () => {
      const subscription = await subscribed({ plan: { trial_days: 1 } });
      await shop.script(subscription.card_id, 3009);
      await subscription.moveTo('2040-01-11');
      return linkTo(subscription);
    },
  ],
  ['unpaid', 'Sin pagar', 'Unpaid', async () => linkTo(await subscribed({ card: DECLINES, plan: { retry_times: 0 } }))],
  [
    'waiting',
    'Pago pendiente',
    'Payment due',
    async () => {
      const url = await linkTo(await subscribed({ card: DECLINES }));
      await submit(url, 'pay', { method: 'bre_b' });
      return url;
    },
  ],
  [
    'paused',
    'En pausa',
    'Paused',
    async () => {
      const subscription = await subscribed();
      await shop.post(`${subscription.path}/pause`, {});
      await subscription.moveTo('2040-02-12');
      return linkTo(subscription);
    },
  ],
  [
    'ending',
    'Al día',
    'Up to date',
    async () => {
      const subscription = await subscribed();
      await subscription.put({ cancel_at_period_end: true });
      return linkTo(subscription);
    },
  ],
];

async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const { name: screen, viewport, colorScheme } of screens) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect([screen, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([screen, 0]);
    const path = fromRoot(`screenshots/payer-${name}-${screen}.png`);
    if (process.env.SCREENSHOTS) await page.screenshot({ path, fullPage: true });
  }
}

it.each(states)('%s', async (name, es, en, create) => {
  await allow('cancel', 'pause');
  const url = await create();
  const page = await payers.open(url, BY_PHONE);
  expect(await page.textContent('h1')).toBe('Revista Digital');
  expect(await page.textContent('.chip')).toBe(es);
  await expectGoodLooks(page, `${name}-es`);
  await page.goto(`${url}?lang=en`);
  expect(await page.textContent('.chip')).toBe(en);
  if (process.env.SCREENSHOTS) await expectGoodLooks(page, `${name}-en`);
});

it('the pages of its forms', async () => {
  await allow('cancel', 'pause');
  const page = await payers.open(await linkTo(await subscribed()), BY_PHONE);
  for (const [link, name] of [
    ['Cambiar la tarjeta', 'card'],
    ['Pausar', 'pause'],
    ['Cancelar la suscripción', 'cancel'],
  ] as const) {
    await page.getByRole('link', { name: link }).click();
    await page.locator('form').waitFor();
    if (name === 'card') await fill(page, { expiration: '01/20' });
    if (name === 'card') await page.click('form button');
    await expectGoodLooks(page, name);
    await page.goBack();
  }
});

it('the ways to pay a due period', async () => {
  const page = await payers.open(await linkTo(await subscribed({ card: DECLINES })), BY_PHONE);
  await page.getByRole('link', { name: 'Pagar de otra forma' }).click();
  await page.locator('form').waitFor();
  await expectGoodLooks(page, 'pay');
});

it('an ended subscription offers nothing', async () => {
  const subscription = await subscribed();
  const url = await linkTo(subscription);
  await subscription.remove();
  const page = await payers.open(url, BY_PHONE);
  expect(await page.textContent('h1')).toBe('Esta suscripción terminó');
  expect(await page.locator('main a, form').count()).toBe(0);
  await expectGoodLooks(page, 'ended');
});
