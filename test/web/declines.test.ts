/** Declined cards on the payment page, and further attempts. */
import { testNumbers } from '../../src/payments/cardDetails/testNumbers';
import { bothSizes, fill, heading, pay, send, testPayers, typed, valuesOf } from '../harness/browser/payers';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { open, openSecondTab, newPayment, thanksUrl, chargesOf, read, shop } = payers;

const expectedTexts: Record<string, RegExp> = {
  declined: /^El banco rechazó el pago\./,
  card_expired: /^El banco rechazó la tarjeta porque está vencida\./,
  insufficient_funds: /^Fondos insuficientes\./,
  card_stolen: /^El banco no permite pagos con esta tarjeta\./,
  fraud: /^El banco no permite pagos con esta tarjeta\./,
  transfer_refused: /^El banco rechazó el pago\./,
  not_allowed: /^El banco rechazó el pago\./,
  not_online: /^Esta tarjeta no permite compras por internet\./,
  card_lost: /^El banco no permite pagos con esta tarjeta\./,
  card_restricted: /^El banco no permite pagos con esta tarjeta\./,
  card_retained: /^El banco no permite pagos con esta tarjeta\./,
  bank_authorization: /^El banco pide que autorices la operación\./,
};
const decliningNumbers = [...testNumbers.values()].flatMap(({ number, always, charges }) => {
  const kind = always ?? charges;
  return kind ? [{ number, kind }] : [];
});

describe('a declined card', () => {
  it.each(decliningNumbers)(
    '$number: $kind is explained to the payer, and the charge stays pending',
    async ({ number, kind }) => {
      const { id, url } = await newPayment();
      const { status } = await send(url, { ...typed, card_number: number, attempt: '0' });
      expect(status).toBe(303);
      const [, alert = ''] = /role="alert">([^<]*)/.exec(await (await fetch(`${url}/return`)).text()) ?? [];
      expect(alert).toMatch(expectedTexts[kind] ?? /no text/);
      expect(alert).toContain('No se hizo ningún cobro.');
      expect(await read(id)).toMatchObject({ status: 'charge_pending', authorization: null });
      expect(await shop.eventsOf(id)).toEqual(['charge.created']);
    },
  );
});

describe.each(bothSizes)('a declined card (%s)', size => {
  payers.on(size);

  it('can be followed by a successful card', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await pay(page, { card_number: '4444444444444448' });
    expect(page.url()).toBe(url);
    expect(await page.textContent('.alert')).toMatch(expectedTexts.insufficient_funds ?? /no text/);
    expect(await page.evaluate('document.activeElement.id')).toBe('card_number');
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    expect(chargesOf(id)).toEqual([3003, 'approved']);
    expect(await read(id)).toMatchObject({ status: 'completed', error_message: null });
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
  });

  it.each([true, false])(
    'keeps the entered values in the form for this browser only, JavaScript: %s',
    async javaScriptEnabled => {
      const { url } = await newPayment();
      const page = await open(`${url}?lang=en`, { javaScriptEnabled });
      await pay(page, { card_number: '4444444444444448' });
      expect(await page.textContent('.alert')).toContain('Insufficient funds');
      const kept = { ...typed, card_number: '', cvv2: '' };
      expect(await valuesOf(page)).toEqual(kept);
      await page.reload();
      expect(await valuesOf(page)).toEqual(kept);
      const another = await open(url);
      expect(await another.locator('.alert').count()).toBe(1);
      expect(await valuesOf(another)).toEqual({ card_number: '', holder_name: '', expiration: '', cvv2: '' });
    },
  );

  it('leaves nothing in the browser when the payment is completed', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await pay(page, { card_number: '4444444444444448' });
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    expect(await page.context().cookies(url)).toEqual([]);
  });

  it('is shown in another open tab that is submitted, instead of a charge', async () => {
    const { id, url } = await newPayment();
    const first = await open(url);
    const stale = await openSecondTab(first, url);
    await pay(first, { card_number: '4444444444444448' });
    await pay(stale);
    expect(await valuesOf(stale)).toEqual({ ...typed, card_number: '', cvv2: '' });
    expect(await stale.textContent('.alert')).toMatch(/^Hubo otro intento de pago con este enlace\./);
    expect(chargesOf(id)).toEqual([3003]);
    await fill(stale);
    await stale.click('form button');
    await stale.waitForURL(thanksUrl(id));
    expect(chargesOf(id)).toEqual([3003, 'approved']);
  });

  it('is the last one after ten attempts', async () => {
    const { id, url } = await newPayment();
    const declined = { ...typed, card_number: '4222222222222220' };
    for (let i = 0; i < 9; i++) await send(url, { ...declined, attempt: `${i}` });
    const page = await open(url);
    await pay(page, declined);
    expect(await heading(page)).toBe('Demasiados intentos');
    expect(await page.locator('form').count()).toBe(0);
    // Not even if the form is sent without the page.
    await send(url, { ...typed, attempt: '10' });
    expect(chargesOf(id)).toEqual(Array(10).fill(3001));
    expect(await read(id)).toMatchObject({ status: 'charge_pending' });
  });
});

describe('cards that are tested by an attacker', () => {
  const few = testApi({ limits: { LIMIT_DECLINES_PER_HOUR: 24 } });
  const { newPayment: newLink, chargesOf: triedAt } = testPayers(few);

  it('on many links from one address are refused before the acquirer is called, and the link stays open', async () => {
    const attempts = [];
    for (let i = 0; i < 4; i++) {
      const { id, url } = await newLink();
      const { status } = await send(url, { ...typed, card_number: '4222222222222220', attempt: '0' });
      attempts.push([status, triedAt(id).length]);
    }
    expect(attempts).toEqual([
      [303, 1],
      [303, 1],
      [429, 0],
      [429, 0],
    ]);
  });
});
