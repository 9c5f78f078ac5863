/** One charge, despite repeated clicks, reloads, back navigation and failures of the acquirer. */
import pino from 'pino';
import { HttpAcquirer } from '../../src/gateway/acquirer/client';
import { recover } from '../../src/operations/background/recovery';
import { bothSizes, fill, heading, send, testPayers, typed } from '../harness/browser/payers';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually, until } from '../harness/flow/until';
import { testApi } from '../harness/servers/api';
import { vault } from '../harness/world/secrets';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { open, openSecondTab, newPayment, thanksUrl, chargesOf, read, shop } = payers;
const log = pino({ level: 'silent' });

const expectOneCharge = async (id: string): Promise<void> => {
  expect(chargesOf(id)).toEqual(['approved']);
  expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
};

describe.each(bothSizes)('paying (%s)', size => {
  payers.on(size);

  it('with a double click: the first click shows the progress, the second has no effect', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    const charges = api.acquirer.hold('/charge');
    await fill(page);
    const [progress] = await Promise.all([
      page
        .evaluate(`new Promise(resolve => document.querySelector('form').addEventListener('submit', () =>
        setTimeout(() => resolve([document.querySelector('form button').disabled, document.querySelector('.busy').textContent]))))`)
        .finally(charges.release),
      page.dblclick('form button'),
    ]);
    expect(progress).toEqual([true, 'Procesando tu pago…']);
    await page.waitForURL(thanksUrl(id));
    await expectOneCharge(id);
  });

  it('with a double click without JavaScript', async () => {
    const { id, url } = await newPayment();
    const page = await open(url, { javaScriptEnabled: false });
    await api.acquirer.script(id, 'slow');
    await fill(page);
    await page.dblclick('form button');
    // The second click may cancel the navigation of the first, and waitForURL throws when any navigation fails.
    await page.waitForSelector('h1:text-is("Tienda")');
    expect(page.url()).toBe(thanksUrl(id));
    await expectOneCharge(id);
  });

  it('and then going back, reloading, and returning to the page', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    await page.goBack();
    expect(page.url()).toBe(url);
    expect(await heading(page)).toBe('Pago aprobado');
    await page.reload();
    expect(await heading(page)).toBe('Pago aprobado');
    await page.goto(`${url}/return`);
    await page.waitForURL(thanksUrl(id));
    await expectOneCharge(id);
  });

  it('in two tabs concurrently', async () => {
    const { id, url } = await newPayment();
    const first = await open(url);
    const tabs = [first, await openSecondTab(first, url)];
    await api.acquirer.script(id, 'slow', 'slow');
    for (const tab of tabs) await fill(tab);
    await Promise.all(tabs.map(tab => tab.click('form button')));
    await Promise.all(tabs.map(tab => tab.waitForURL(thanksUrl(id))));
    await expectOneCharge(id);
  });
});

describe('ten concurrent forms', () => {
  it('from the same page make one charge', async () => {
    for (let i = 0; i < 2; i++) {
      const { id, url } = await newPayment();
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(url, { ...typed, attempt: '0' })));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
      await expectOneCharge(id);
    }
  });
});

describe('an acquirer that does not respond', () => {
  /** The API waits for the acquirer until the returned function is called, even on a slow machine. */
  const delayTimeout = (): (() => void) => {
    const patience = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    atTheEnd(() => timeout.mockRestore());
    return () => {
      timeout.mockRestore();
      patience.abort(new DOMException('The test has waited enough', 'TimeoutError'));
    };
  };

  it('without a charge: another open page waits for the outcome, and then both pages accept a new attempt', async () => {
    const { id, url } = await newPayment();
    await api.acquirer.script(id, 'timeout');
    const page = await open(url);
    await fill(page);
    const giveUp = delayTimeout();
    await page.click('form button', { noWaitAfter: true });
    await eventually(() => api.database.db().transaction.findFirstOrThrow({ where: { id, progress: 'paying' } }));
    const secondPage = await open(url);
    expect(await heading(secondPage)).toBe('Procesando tu pago…');
    await until(() => api.acquirer.hasTimedOut(id));
    giveUp();
    for (const tab of [page, secondPage]) await tab.waitForSelector('.alert');
    for (const tab of [page, secondPage])
      expect(await tab.textContent('.alert')).toMatch(
        /^No pudimos comunicarnos con el banco\. No se hizo ningún cobro\./,
      );
    expect(chargesOf(id)).toEqual([]);
    await fill(secondPage);
    await secondPage.click('form button');
    await secondPage.waitForURL(thanksUrl(id));
    await expectOneCharge(id);
  });

  it('with a charge: the payment is completed once', async () => {
    const { id, url } = await newPayment();
    await api.acquirer.script(id, 'timeout_after_charge');
    const page = await open(url);
    await fill(page);
    const giveUp = delayTimeout();
    await page.click('form button', { noWaitAfter: true });
    await until(() => chargesOf(id).length > 0);
    giveUp();
    await page.waitForURL(thanksUrl(id));
    await expectOneCharge(id);
  });
});

describe('a process that died during a payment', () => {
  let acquirer: HttpAcquirer;
  beforeAll(() => {
    acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log });
  });
  afterAll(() => acquirer.close());
  const runRecovery = () => recover(api.database.db(), { sandbox: acquirer }, log);
  const interrupted = { progress: 'paying', attempts: 1, lease_until: new Date(0) };

  it.each([true, false])(
    'leaves a page that refreshes itself when the outcome is known, JavaScript: %s',
    async javaScriptEnabled => {
      const { id, url } = await newPayment();
      await payers.change(id, interrupted);
      const page = await open(url, { javaScriptEnabled });
      expect(await heading(page)).toBe('Procesando tu pago…');
      await runRecovery();
      await page.waitForSelector('.alert');
      expect(await page.textContent('.alert')).toMatch(/^No pudimos comunicarnos con el banco\./);
      expect(await read(id)).toMatchObject({ status: 'charge_pending' });
      await fill(page);
      await page.click('form button');
      await page.waitForURL(thanksUrl(id));
      await expectOneCharge(id);
    },
  );

  it('after the charge: the page redirects to the shop', async () => {
    const { id, url } = await newPayment();
    await payers.change(id, interrupted);
    await chargeAtAcquirer(`${id}-pay-1`);
    const page = await open(url);
    expect(await heading(page)).toBe('Procesando tu pago…');
    await runRecovery();
    await page.waitForURL(thanksUrl(id));
    await expectOneCharge(id);
  });

  it('when the payment has expired in the meantime: the page shows it', async () => {
    const { id, url } = await newPayment();
    await payers.change(id, { ...interrupted, expires_at: new Date(0) });
    const page = await open(url);
    expect(await heading(page)).toBe('Procesando tu pago…');
    await runRecovery();
    await page.waitForSelector('text=Este pago venció');
    expect(chargesOf(id)).toEqual([]);
  });

  /** Makes and records a charge at the acquirer that the gateway does not know. */
  const chargeAtAcquirer = async (key: string): Promise<void> => {
    const { url, key: credential } = api.acquirer.credentials();
    const answer = await fetch(`${url}/charge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key, amount: 10_000_000, card: { reference: key, number: '4242424242424242' } }),
    });
    expect(await answer.json()).toMatchObject({ response: '00' });
  };
});
