/** A payer pays by PSE: from our page to the sandbox bank, and back. */

import { bothSizes, heading, press, send, testPayers } from '../harness/browser/payers';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { open, openSecondTab, newTransfer, merchantUrl, read, shop } = payers;

const decisionButtons = {
  approved: 'text=Aprobar',
  rejected: 'text=Rechazar',
  pending: 'text=Dejar pendiente',
} as const;
const withRedirect = () => ({ redirect_url: `${merchantUrl()}/thanks?cart=7#end` });

describe.each(bothSizes)('paying at the bank with a redirect_url (%s)', size => {
  payers.on(size);

  it.each([
    ['approved', 'completed', ['charge.created', 'charge.succeeded']],
    ['rejected', 'failed', ['charge.created', 'charge.failed']],
    ['pending', 'charge_pending', ['charge.created']],
  ] as const)(
    'a payment that the payer leaves %s becomes %s, and the payer is redirected to the shop',
    async (outcome, status, events) => {
      const { id, url } = await newTransfer(withRedirect());
      const page = await open(url);
      expect(page.url()).toMatch(/\/bank\/[^/]+$/);
      expect(await heading(page)).toBe('Banco de prueba');
      expect(await page.textContent('.summary')).toMatch(/Tienda.*Order.*50\.000/s);
      payers.referers.length = 0;
      await page.click(decisionButtons[outcome]);
      await page.waitForURL(payers.thanksUrl(id));
      expect(payers.referers[0]).toBeUndefined();
      expect(await read(id)).toMatchObject({ status, ...(status === 'failed' ? { error_code: 1007 } : {}) });
      expect(await shop.eventsOf(id)).toEqual(events);
    },
  );

  it('works without JavaScript', async () => {
    const { id, url } = await newTransfer(withRedirect());
    const page = await open(url, { javaScriptEnabled: false });
    await page.click(decisionButtons.approved);
    await page.waitForURL(payers.thanksUrl(id));
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('a pending payment can be paid later', async () => {
    const { id, url } = await newTransfer(withRedirect());
    const page = await open(url);
    await page.click(decisionButtons.pending);
    await page.waitForURL(payers.thanksUrl(id));
    await page.goto(url);
    await page.click(decisionButtons.approved);
    await page.waitForURL(payers.thanksUrl(id));
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });
});

describe.each(bothSizes)('paying at the bank without a redirect_url (%s)', size => {
  payers.on(size);

  it.each([
    ['approved', 'Pago aprobado'],
    ['rejected', 'Pago rechazado'],
    ['pending', 'Pago pendiente'],
  ] as const)('a payment that is %s ends on our page with %s', async (outcome, title) => {
    const { url } = await newTransfer();
    const page = await open(url);
    await press(page, decisionButtons[outcome]);
    expect(new URL(page.url()).origin).toBe(api.origin());
    expect(await heading(page)).toBe(title);
    if (outcome === 'pending') await press(page, 'text=Ir al banco');
    else await page.goto(url);
    expect(await heading(page)).toBe(outcome === 'pending' ? 'Banco de prueba' : title);
  });
});

describe('the language that a payer has selected', () => {
  const titles = { approved: 'Payment approved', rejected: 'Payment declined', pending: 'Payment pending' };

  it.each([
    ['approved', 'text=Approve'],
    ['rejected', 'text=Decline'],
    ['pending', 'text=Leave pending'],
  ] as const)('on our page is kept at the bank and on return: %s', async (outcome, button) => {
    const { url } = await newTransfer();
    const page = await open(`${url}?lang=en`);
    expect(await heading(page)).toBe('Test bank');
    await press(page, button);
    expect(await heading(page)).toContain(titles[outcome]);
    if (outcome !== 'pending') return;
    await press(page, 'text=Go to the bank');
    expect(await heading(page)).toBe('Test bank');
  });

  it('at the bank is kept on return, even if the payment was decided before', async () => {
    const { url, bank } = await newTransfer();
    const page = await open(url);
    await press(page, 'text=English');
    const stale = await openSecondTab(page, `${bank}?lang=en`);
    await press(page, 'text=Approve');
    expect(await heading(page)).toBe('Payment approved');
    await stale.reload();
    await press(stale, 'text=Return');
    expect(await heading(stale)).toBe('Payment approved');
  });

  it('is kept without the help of the bank, and only for this payer', async () => {
    const { url } = await newTransfer();
    const page = await open(`${url}?lang=en`);
    await page.goto(`${url}/return`);
    expect(await heading(page)).toBe('Payment pending');
    await press(page, 'text=Español');
    await page.goto(`${url}/return`);
    expect(await heading(page)).toBe('Pago pendiente');
    const other = await open(`${(await newTransfer()).url}/return`);
    expect(await heading(other)).toBe('Pago pendiente');
  });
});

describe('a second decision at the bank', () => {
  it('in two tabs at the same time leads to one outcome', async () => {
    for (let i = 0; i < 5; i++) {
      const { id, bank } = await newTransfer();
      await Promise.all([send(bank, { outcome: 'approved' }), send(bank, { outcome: 'rejected' })]);
      const { status } = await read(id);
      const events = await shop.eventsOf(id);
      expect(['completed charge.created,charge.succeeded', 'failed charge.created,charge.failed']).toContain(
        `${status} ${events}`,
      );
      expect(shop.journalOf(`${id}-paid`)).toHaveLength(1);
    }
  });

  it('in a tab that was left open changes nothing, and shows the outcome', async () => {
    const { id, url, bank } = await newTransfer();
    const first = await open(url);
    const stale = await openSecondTab(first, bank);
    await press(first, decisionButtons.rejected);
    await press(stale, decisionButtons.approved);
    expect(await heading(stale)).toBe('Pago rechazado');
    await stale.goto(bank);
    expect(await stale.textContent('main')).toContain('El resultado de este pago ya no se puede cambiar aquí.');
    expect(await stale.locator('form').count()).toBe(0);
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.failed']);
  });
});

describe('the bank’s page', () => {
  it('responds 404 at any other URL', async () => {
    const { bank } = await newTransfer();
    for (const method of ['GET', 'POST']) expect((await fetch(`${bank}0`, { method })).status).toBe(404);
  });

  it('refuses decisions from other sites, and unknown decisions', async () => {
    const { id, bank } = await newTransfer();
    const form = { outcome: 'approved' };
    expect((await send(bank, form, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send(bank, form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send(bank, { outcome: 'stolen' })).status).toBe(303);
    expect(await read(id)).toMatchObject({ status: 'charge_pending' });
  });

  it('shows a description that contains a script as text', async () => {
    const { url } = await newTransfer({ description: '<script>alert(1)</script>' });
    const page = await open(url);
    expect(await page.textContent('.description')).toBe('<script>alert(1)</script>');
  });

  it('cannot be reached from an expired payment', async () => {
    const { id, url } = await newTransfer();
    await payers.change(id, { expires_at: new Date(0) });
    const page = await open(url);
    expect(await heading(page)).toBe('Este pago venció');
  });
});
