/** However a payer clicks, reloads and goes back, and whatever the acquirer does: one charge. */
import pino from 'pino';
import { HttpAcquirer } from '../../../src/acquirer/client';
import { recover } from '../../../src/background/recovery';
import { retryUntilAnswered } from '../../../src/embedded/managedProcess';
import { bothSizes, fill, heading, send, testPayers, typed } from '../../harness/browser/payers';
import { testApi } from '../../harness/servers/api';
import { vault } from '../../harness/servers/secrets';

const api = testApi();
const payers = testPayers(api);
const { open, beside, newPayment, thanks, chargesOf, read, shop } = payers;
const log = pino({ level: 'silent' });

const expectOneCharge = async (id: string): Promise<void> => {
  expect(chargesOf(id)).toEqual(['approved']);
  expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
};

describe.each(bothSizes)('paying (%s)', size => {
  payers.on(size);

  it('with a double click: the first says that it is under way, the second does nothing', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await api.acquirer.script(id, 'slow');
    await fill(page);
    const [shown] = await Promise.all([
      page.evaluate(`new Promise(tell => document.querySelector('form').addEventListener('submit', () =>
        setTimeout(() => tell([document.querySelector('form button').disabled, document.querySelector('.busy').textContent]))))`),
      page.dblclick('form button'),
    ]);
    expect(shown).toEqual([true, 'Procesando tu pago…']);
    await page.waitForURL(thanks(id));
    await expectOneCharge(id);
  });

  it('with a double click where no script holds the second one back', async () => {
    const { id, url } = await newPayment();
    const page = await open(url, { javaScriptEnabled: false });
    await api.acquirer.script(id, 'slow');
    await fill(page);
    await page.dblclick('form button');
    // The second click may break off what the first one began, and waitForURL throws at any navigation that fails.
    await page.waitForSelector('h1:text-is("Tienda")');
    expect(page.url()).toBe(thanks(id));
    await expectOneCharge(id);
  });

  it('and going back, reloading, and going on again', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanks(id));
    await page.goBack();
    expect(page.url()).toBe(url);
    expect(await heading(page)).toBe('Pago aprobado');
    await page.reload();
    expect(await heading(page)).toBe('Pago aprobado');
    await page.goto(`${url}/return`);
    await page.waitForURL(thanks(id));
    await expectOneCharge(id);
  });

  it('in two tabs at once', async () => {
    const { id, url } = await newPayment();
    const first = await open(url);
    const tabs = [first, await beside(first, url)];
    await api.acquirer.script(id, 'slow', 'slow');
    for (const tab of tabs) await fill(tab);
    await Promise.all(tabs.map(tab => tab.click('form button')));
    await Promise.all(tabs.map(tab => tab.waitForURL(thanks(id))));
    await expectOneCharge(id);
  });
});

describe('ten forms in one moment', () => {
  it('that have all seen the same page are one charge', async () => {
    for (let i = 0; i < 2; i++) {
      const { id, url } = await newPayment();
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(url, { ...typed, attempt: '0' })));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
      await expectOneCharge(id);
    }
  });
});

describe('an acquirer that does not answer', () => {
  it('and has done nothing: who watches waits, and everybody may try again', async () => {
    const { id, url } = await newPayment();
    await api.acquirer.script(id, 'timeout');
    const page = await open(url);
    await fill(page);
    const clicked = page.click('form button');
    const { transaction } = api.database.db();
    await retryUntilAnswered(() => transaction.findFirstOrThrow({ where: { id, progress: 'paying' } }), 10);
    const watching = await open(url);
    expect(await heading(watching)).toBe('Procesando tu pago…');
    await clicked;
    for (const tab of [page, watching]) await tab.waitForSelector('.alert');
    for (const tab of [page, watching])
      expect(await tab.textContent('.alert')).toMatch(
        /^No pudimos comunicarnos con el banco\. No se hizo ningún cobro\./,
      );
    expect(chargesOf(id)).toEqual([]);
    await fill(watching);
    await watching.click('form button');
    await watching.waitForURL(thanks(id));
    await expectOneCharge(id);
  });

  it('and has charged: the payer has paid, once', async () => {
    const { id, url } = await newPayment();
    await api.acquirer.script(id, 'timeout_after_charge');
    const page = await open(url);
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanks(id));
    await expectOneCharge(id);
  });
});

describe('a process that died while a payer was paying', () => {
  let acquirer: HttpAcquirer;
  beforeAll(() => {
    acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log });
  });
  afterAll(() => acquirer.close());
  const recovered = () => recover(api.database.db(), { sandbox: acquirer }, log);
  const died = { progress: 'paying', attempts: 1, lease_until: new Date(0) };

  it.each([true, false])('leaves a page that finds the way by itself once all is known, JavaScript: %s', async has => {
    const { id, url } = await newPayment();
    await payers.change(id, died);
    const page = await open(url, { javaScriptEnabled: has });
    expect(await heading(page)).toBe('Procesando tu pago…');
    await recovered();
    await page.waitForSelector('.alert');
    expect(await page.textContent('.alert')).toMatch(/^No pudimos comunicarnos con el banco\./);
    expect(await read(id)).toMatchObject({ status: 'charge_pending' });
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanks(id));
    await expectOneCharge(id);
  });

  it('after the charge: the page leads to the shop', async () => {
    const { id, url } = await newPayment();
    await payers.change(id, died);
    await chargeBehind(`${id}-pay-1`);
    const page = await open(url);
    expect(await heading(page)).toBe('Procesando tu pago…');
    await recovered();
    await page.waitForURL(thanks(id));
    await expectOneCharge(id);
  });

  it('when the time to pay is over: the page says so', async () => {
    const { id, url } = await newPayment();
    await payers.change(id, { ...died, expires_at: new Date(0) });
    const page = await open(url);
    expect(await heading(page)).toBe('Procesando tu pago…');
    await recovered();
    await page.waitForSelector('text=Este pago venció');
    expect(chargesOf(id)).toEqual([]);
  });

  /** The acquirer has it in its journal; only we do not know. */
  const chargeBehind = async (key: string): Promise<void> => {
    const { url, key: credential } = api.acquirer.credentials();
    const answer = await fetch(`${url}/charge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key, amount: 10_000_000, card: { reference: key, number: '4242424242424242' } }),
    });
    expect(await answer.json()).toMatchObject({ response: '00' });
  };
});
