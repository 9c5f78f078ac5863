/** The timeline of a subscription in a real browser, compared with the API. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Mailbox } from '../../../src/local/mailbox/mailbox';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { sizes, testPayers } from '../../harness/browser/payers';
import { until } from '../../harness/flow/until';
import { startMailbox } from '../../harness/servers/mailbox';
import { testWebhooks } from '../../harness/webhooks/webhooks';
import { eventStreamIsOpen } from './eventStream';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
const hooks = testWebhooks({ workerVariables: () => ({ SMTP_URL: mailbox.smtpUrl }) });
const { api, billing } = hooks;
const payers = testPayers(api);
/** This card can be saved, and every charge to it is declined. */
const DECLINING = '4000000000000341';
const ANOTHER = '5555555555554444';

type TestSubscription = Awaited<ReturnType<typeof billing.subscribe>>;
interface ProjectedCharge {
  period: number;
  charge_date: string;
  amount: number;
}

async function visit(subscription: TestSubscription, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await payers.open(`${api.origin()}/dashboard/subscriptions/${subscription.id}`, {
    viewport: sizes.desktop,
    ...options,
  });
  await page.getByLabel('Llave privada').fill(api.merchants().own.private_key);
  await page.keyboard.press('Enter');
  await page.locator('.timeline-item').first().waitFor();
  return page;
}

const projection = async (subscription: TestSubscription, query: string): Promise<ProjectedCharge[]> =>
  (await api.rest('GET', `${subscription.path}/projection?${query}`)).body;
const history = async (subscription: TestSubscription): Promise<{ event: string; description: string }[]> =>
  (await api.rest('GET', `${subscription.path}/history?language=es`)).body.entries;
const clockOf = async (subscription: TestSubscription): Promise<string> =>
  (await api.rest('GET', `/sandbox/clock?subscription_id=${subscription.id}`)).body.now.slice(0, 10);
const marks = (page: Page, ...kinds: string[]) => page.locator(kinds.map(kind => `[data-mark=${kind}]`).join(', '));

/** The planned charges as drawn: the day, the period and the amount in the accessible label. */
const drawn = (page: Page): Promise<ProjectedCharge[]> =>
  marks(page, 'planned', 'would-decline').evaluateAll(elements =>
    elements.map(element => ({
      period: Number(element.getAttribute('data-period')),
      charge_date: element.getAttribute('data-day') ?? '',
      amount: Number(/\$ ([\d.]+)\d*\.$/.exec(element.getAttribute('aria-label') ?? '')?.[1]?.replaceAll('.', '')),
    })),
  );

/** Delays the response of this operation until the returned function is called. */
async function holdAnswer(page: Page, operation: string): Promise<() => void> {
  let release = (): void => undefined;
  const isReleased = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/graphql', async route => {
    if (!route.request().postData()?.includes(operation)) return route.continue();
    const response = await route.fetch();
    await isReleased;
    return route.fulfill({ response });
  });
  return release;
}

it('the timeline draws the projected charges of a year, optionally with declines from one of them on', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const page = await visit(subscription);
  const expected = await projection(subscription, 'periods=12');
  expect(await drawn(page)).toEqual(expected);
  expect(expected.at(-1)?.charge_date).toBe('2041-01-10');

  await page.locator('[data-day="2040-04-10"]').click();
  await marks(page, 'would-decline').first().waitFor();
  expect(await drawn(page)).toEqual(await projection(subscription, 'periods=64&declined_from=2040-04-10'));
  expect(await marks(page, 'would-decline').count()).toBe(4);
  await page.getByText('Si se rechaza desde el 10 abr 2040: 4 intentos y luego la suscripción queda impaga.').waitFor();

  await page.getByRole('button', { name: 'Quitar la simulación' }).click();
  await marks(page, 'would-decline').first().waitFor({ state: 'detached' });
  expect(await drawn(page)).toEqual(expected);
});

it('the arrow keys move from mark to mark, and each mark reads its sentence of the history', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  await subscription.diary('2040-02-12');
  const page = await visit(subscription);
  const said = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
  await page.locator('.timeline-item[tabindex="0"]').focus();
  await page.keyboard.press('Home');
  for (const { description } of await history(subscription)) {
    expect(await said()).toContain(description);
    await page.locator('.timeline-selected').getByText(description).waitFor();
    await page.keyboard.press('ArrowRight');
  }
  expect(await said()).toBe('10 mar 2040. Se cobrará el período 3: $ 49.900.');
  await page.keyboard.press('Enter');
  await marks(page, 'would-decline').first().waitFor();
  expect(await marks(page, 'planned').count()).toBe(0);
});

it('the clock moves only after a confirmation: by keys, by date, and never backwards', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const page = await visit(subscription);
  const slider = page.getByRole('slider', { name: 'Reloj de prueba' });
  const day = page.getByLabel('Reloj de prueba: Mover hasta');
  await slider.focus();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowRight');
  expect([await day.inputValue(), await slider.getAttribute('aria-valuetext')]).toEqual(['2040-02-10', '10 feb 2040']);
  await page.getByText('Se hará 1 cobro previsto. Esta acción no se puede deshacer.').waitFor();
  await page.keyboard.press('Escape');
  expect(await day.inputValue()).toBe('');
  await day.fill('2040-01-09');
  expect(await page.getByRole('button', { name: 'Mover el reloj', exact: true }).isDisabled()).toBe(true);
  await day.fill('2040-02-11');
  expect(await clockOf(subscription)).toBe('2040-01-10');
  await page.getByRole('button', { name: 'Mover el reloj al 11 feb 2040' }).click();
  await page.getByText('El reloj llegó al 11 feb 2040.').waitFor();
  expect(await clockOf(subscription)).toBe('2040-02-11');
  await until(async () => (await marks(page, 'paid').count()) === 2);
});

it('dragging the clock over a declined renewal shows its retries, e-mails, events and webhooks live', async () => {
  await api.rest('PUT', '', { body: { subscription_emails: true } });
  await hooks.newHook();
  const subscription = await billing.subscribe('2040-01-10', {
    card: DECLINING,
    plan: { trial_days: 20, retry_times: 2 },
  });
  const page = await visit(subscription);
  await eventStreamIsOpen(page);
  const answerMove = await holdAnswer(page, 'mutation MoveClock');
  const [from, to] = await Promise.all([
    page.getByRole('slider').locator('circle').boundingBox(),
    marks(page, 'planned').nth(1).boundingBox(),
  ]);
  if (!from || !to) throw new Error('nothing to drag');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2 - 12, from.y + from.height / 2, { steps: 5 });
  await page.mouse.up();
  expect(await clockOf(subscription)).toBe('2040-01-10');
  await page.getByRole('button', { name: /^Mover el reloj al \d+ feb 2040$/ }).click();

  // The page knows this only from events: its request has not been answered yet.
  await until(async () => (await marks(page, 'declined').count()) === 3);
  answerMove();
  await page.getByText(/^El reloj llegó al/).waitFor();
  // The e-mails about the first and the last decline.
  await until(async () => (await marks(page, 'email').count()) === 2);
  const entries = await history(subscription);
  expect(entries.filter(({ event }) => event === 'declined')).toHaveLength(3);
  await page.getByText('Ver como tabla').click();
  const rows = page.locator('.timeline-table tr[data-planned=false] td:nth-child(2)');
  await until(async () => (await rows.count()) === entries.length);
  expect(await rows.allTextContents()).toEqual(entries.map(({ description }) => description));

  const generatedEvents = page.locator('.generated-events li');
  await until(async () => (await generatedEvents.filter({ hasText: 'subscription.charge.failed' }).count()) === 3);
  await until(async () => (await generatedEvents.filter({ hasText: 'subscription.email.sent' }).count()) === 2);
  await marks(page, 'email').first().hover();
  await page.locator('.timeline-selected').getByText('Se avisó al cliente por correo que se rechazó').waitFor();
  const end = (await api.rest('GET', `${subscription.path}/history`)).body.end_date;
  await page.locator(`[data-mark=end][data-day="${end}"]`).hover();
  await page
    .locator('.timeline-selected')
    .getByText('La suscripción termina, salvo que antes se pague con otra tarjeta.')
    .waitFor();
  await generatedEvents.filter({ hasText: 'subscription.past_due' }).getByText('entregado').waitFor();
  await page.locator('.page-head .chip', { hasText: 'impaga' }).waitFor();
});

it('the buttons cancel at the period end, resume, retry, change the card and cancel at once', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const page = await visit(subscription);
  const press = async (name: string, done: string): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
    await page.locator('.notices').getByText(done).waitFor();
  };
  await press('Cancelar al final del período', 'La suscripción se cancelará al final del período.');
  expect((await subscription.read()).cancel_at_period_end).toBe(true);
  await page.locator('[data-mark=end][data-day="2040-02-10"]').waitFor();
  await press('Conservar la suscripción', 'La suscripción continúa.');
  expect((await subscription.read()).cancel_at_period_end).toBe(false);

  await hooks.shop.script(subscription.card_id, 3003, 3003, 'approve');
  await eventStreamIsOpen(page);
  await subscription.diary('2040-02-10');
  await page.locator('.page-head .chip', { hasText: 'en mora' }).waitFor();
  await press('Cobrar ahora', 'Se rechazó el cobro del período 2: la tarjeta no tiene fondos suficientes (3003).');
  const dialog = page.getByRole('dialog');
  const other = await hooks.shop.newCard(`/customers/${subscription.customer_id}/cards`, ANOTHER);
  await page.reload();
  await page.getByRole('button', { name: 'Cambiar tarjeta' }).click();
  await dialog.getByLabel('Tarjeta guardada del cliente').selectOption(other);
  await dialog.getByRole('button', { name: 'Cambiar tarjeta' }).click();
  await page.locator('.notices').getByText('Se cobró el período 2.').waitFor();
  expect(await subscription.read()).toMatchObject({ status: 'active', card: { id: other } });

  await press('Cancelar ahora', 'Suscripción cancelada.');
  expect((await subscription.read()).status).toBe('cancelled');
  await page.locator('.page-head .chip', { hasText: 'cancelada' }).waitFor();
  expect(await page.getByRole('slider').count()).toBe(0);
});

it('an unknown subscription is reported, with a link to continue', async () => {
  const page = await payers.open(`${api.origin()}/dashboard/subscriptions/s0000000000000000000`);
  await page.getByLabel('Llave privada').fill(api.merchants().own.private_key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Página no encontrada' }).waitFor();
});

it('the timeline fits and is accessible on a phone, where it is vertical, and on a desktop, in both themes', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { repeat_unit: 'week' } });
  await subscription.diary('2040-03-20');
  for (const { name, viewport, colorScheme } of screens) {
    const page = await visit(subscription, { viewport, colorScheme });
    await page.locator('.timeline-item[data-mark=planned]').first().click();
    await marks(page, 'would-decline').first().waitFor();
    await page.getByText('Ver como tabla').click();
    expect([name, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([name, 0]);
    const box = await page.locator('svg.timeline').first().boundingBox();
    expect([name, (box?.height ?? 0) > (box?.width ?? 0)]).toEqual([name, viewport.width === 360]);
  }
});
