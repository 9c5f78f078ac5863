/** A payer whose period is due pays it with another card, once. */
import { heading, pay, testPayers, typed } from '../../harness/browser/payers';
import { until } from '../../harness/flow/until';
import { payerPages } from '../../harness/merchant/payerPages';
import { testBilling } from '../../harness/merchant/subscriptions';
import { startApi } from '../../harness/servers/apiProgram';

const billing = testBilling({ trustedProxies: ['127.0.0.1'] });
const { api, shop } = billing;
const payers = testPayers(api);
const { linkTo, pageOf, attemptOf, submit, submitCard, submitWhenReady } = payerPages(billing);
const DECLINES = '4000000000000341';
const NO_FUNDS_LATER = '4000000000003345';
const NO_FUNDS = '4444444444444448';
const ANOTHER = '5555555555554444';

async function pastDue(plan: object = {}) {
  const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan });
  expect(subscription.created.status).toMatch(/past_due|unpaid/);
  return { subscription, url: await linkTo(subscription) };
}
const outcomesOf = async (subscription: { journal: () => Promise<{ outcome: unknown }[]> }) =>
  (await subscription.journal()).map(({ outcome }) => outcome);

it('sees why the charge was declined, and pays on a phone', async () => {
  const { subscription, url } = await pastDue();
  const page = await payers.open(url);
  expect(await page.textContent('.summary')).toMatch(
    /Pendiente de pago.*49\.900.*El 10 ene 2040 fue rechazado.*Visa ···· 0341.*Lo intentaremos de nuevo el 11 ene 2040/s,
  );
  await pay(page, { card_number: NO_FUNDS });
  expect(await page.textContent('[role=alert]')).toContain('Fondos insuficientes. No cambió nada.');
  expect(await page.inputValue('#holder_name')).toBe(typed.holder_name);
  expect(await subscription.read()).toMatchObject({ status: 'past_due', card: { card_number: '400000XXXXXX0341' } });
  expect(await outcomesOf(subscription)).toEqual([3001]);
  await pay(page, { card_number: ANOTHER });
  expect(await page.textContent('.chip')).toBe('Al día');
  expect(await page.textContent('.good[role=status]')).toContain('Mastercard ···· 4444');
  expect(await page.textContent('main')).toMatch(/Pagos recientes.*10 ene 2040/s);
  expect(await subscription.read()).toMatchObject({ status: 'active', card: { card_number: '555555XXXXXX4444' } });
  expect(await outcomesOf(subscription)).toEqual([3001, 'approved']);
});

it('pays without JavaScript, in English, after the last retry', async () => {
  const { subscription, url } = await pastDue({ retry_times: 0 });
  const page = await payers.open(`${url}?lang=en`, { javaScriptEnabled: false });
  expect(await page.textContent('.summary')).toContain('The subscription ends on Feb 10, 2040 unless you pay before');
  await pay(page, { card_number: ANOTHER });
  expect([await heading(page), await page.textContent('.chip')]).toEqual(['Monthly', 'Up to date']);
  expect(await subscription.read()).toMatchObject({ status: 'active' });
});

it('is charged once by fifty forms at once, and not by a form from before', async () => {
  const { subscription, url } = await pastDue();
  const attempt = await attemptOf(url);
  const answers = await Promise.all(Array.from({ length: 50 }, () => submit(url, 'card', { ...typed, attempt })));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(303));
  expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 1 });
  expect(await outcomesOf(subscription)).toEqual([3001, 'approved']);
  const lines = (await subscription.history()).entries.map(({ event }: { event: string }) => event);
  expect(lines).toEqual(['created', 'declined', 'card_changed', 'charged']);
  const { card } = await subscription.read();
  expect((await submit(url, 'card', { ...typed, card_number: ANOTHER, attempt })).status).toBe(303);
  expect((await subscription.read()).card).toEqual(card);
});

it('keeps a verified card whose charge is declined, and reads the new reason', async () => {
  const { subscription, url } = await pastDue();
  expect((await submitCard(url, { card_number: NO_FUNDS_LATER })).status).toBe(303);
  expect((await pageOf(url)).text).toMatch(/tarjeta Visa ···· 3345\. Fondos insuficientes\./);
  expect(await subscription.read()).toMatchObject({ status: 'past_due', retries_left: 3 });
  expect(await outcomesOf(subscription)).toEqual([3001, 3003]);
});

it('cannot use the number of a card that the bank refused for good', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  const url = await linkTo(subscription);
  await shop.script(subscription.card_id, 3009);
  await subscription.moveTo('2040-01-11');
  expect((await pageOf(url)).text).toContain(
    'Tu banco no acepta más cobros a esta tarjeta: para seguir, paga con otra.',
  );
  await submitCard(url);
  expect((await pageOf(`${url}?tried=yes`)).text).toContain('Esta tarjeta no sirve para este cobro.');
  expect(await outcomesOf(subscription)).toEqual([3009]);
  await submitCard(url, { card_number: ANOTHER });
  expect(await subscription.read()).toMatchObject({ status: 'active' });
});

it('changes the card of an active subscription without a charge', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const url = await linkTo(subscription);
  const page = await payers.open(url);
  await page.getByRole('link', { name: 'Cambiar la tarjeta' }).click();
  await page.locator('#card_number').waitFor();
  await pay(page, { card_number: NO_FUNDS });
  expect(await page.textContent('[role=alert]')).toContain('No cambió nada.');
  await pay(page, { card_number: ANOTHER });
  expect(await page.textContent('dl')).toContain('Mastercard ···· 4444');
  expect(await outcomesOf(subscription)).toEqual(['approved']);
});

it('offers no more cards after ten declined ones, until another link is made', async () => {
  const { subscription, url } = await pastDue();
  await api.database
    .db()
    .subscriptionLink.update({ where: { subscription_id: subscription.id }, data: { declines: 9 } });
  await submitCard(url, { card_number: NO_FUNDS });
  expect((await pageOf(url)).text).toContain('ya no acepta más tarjetas');
  expect((await submitCard(url, { card_number: ANOTHER, attempt: '1' })).status).toBe(303);
  expect(await outcomesOf(subscription)).toEqual([3001]);
  const next = await linkTo(subscription, { rotate: true });
  await submitCard(next, { card_number: ANOTHER });
  expect(await subscription.read()).toMatchObject({ status: 'active' });
});

it('is charged once if the process that handles the form is killed before it answers', async () => {
  const { subscription, url } = await pastDue();
  const form = { ...typed, card_number: ANOTHER, attempt: await attemptOf(url) };
  const { url: ACQUIRER_URL } = api.acquirer.credentials();
  const { program, origin } = await startApi({ DATABASE_URL: api.database.url(), ACQUIRER_URL });
  const charges = api.acquirer.hold('/charge');
  const lost = submitWhenReady(url.replace(api.origin(), origin), 'card', form).catch(() => 'lost');
  // The acquirer has the charge: one that it never got would be declined for want of an answer.
  const isCharging = until(async () => charges.count() > 0);
  const isOver = lost.then(async answer => {
    throw new Error(typeof answer === 'string' ? answer : `${answer.status} ${(await pageOf(url)).text}`);
  });
  await Promise.race([isCharging, isOver]);
  expect((await pageOf(url)).text).toContain('Un momento');
  await program.stop('SIGKILL');
  expect(await lost).toBe('lost');
  charges.release();
  await subscription.becomes({ status: 'active' });
  await api.database
    .db()
    .subscriptionLink.update({ where: { subscription_id: subscription.id }, data: { lease_until: new Date(0) } });
  await submitCard(url, { card_number: ANOTHER });
  expect((await pageOf(url)).text).toMatch(/Al día.*Mastercard ···· 4444/s);
  expect(await outcomesOf(subscription)).toEqual([3001, 'approved']);
});
