/** Typing into the card form, and invalid cards. */

import type { Page } from 'playwright-core';
import { fill, pay, send, testPayers, typed, valuesOf } from '../harness/browser/payers';
import { amex } from '../harness/cards/testCards';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { open, newPayment, thanksUrl, chargesOf, read } = payers;
const brandIn = (page: Page) => page.locator('#brand').getByRole('img').getAttribute('aria-label');

describe('typing', () => {
  it('shows the brand, and groups the digits of the number', async () => {
    const page = await open((await newPayment()).url);
    const displayed: (string | null)[][] = [];
    for (const number of [
      '4929381533287748',
      '4929381533287740000',
      '5391827364550915',
      '2720990000000007',
      '371449635398431',
      '36728481533333',
      '5062000000000001',
    ]) {
      await page.fill('#card_number', '');
      await page.locator('#card_number').pressSequentially(number);
      displayed.push([await page.inputValue('#card_number'), await brandIn(page)]);
    }
    expect(displayed).toEqual([
      ['4929 3815 3328 7748', 'Visa'],
      ['4929 3815 3328 7740 000', 'Visa'],
      ['5391 8273 6455 0915', 'Mastercard'],
      ['2720 9900 0000 0007', 'Mastercard'],
      ['3714 496353 98431', 'American Express'],
      ['3672 848153 3333', 'Diners Club'],
      ['5062 0000 0000 0001', 'Carnet'],
    ]);
    await page.fill('#card_number', '9');
    expect(await page.locator('#brand svg').count()).toBe(0);
  });

  it('can be replaced by pasting, with spaces or dashes', async () => {
    const page = await open((await newPayment()).url, { permissions: ['clipboard-read', 'clipboard-write'] });
    for (const pasted of ['4929-3815-3328-7748', ' 4929 3815 3328 7748 ', '4929381533287748']) {
      await page.evaluate(`navigator.clipboard.writeText('${pasted}')`);
      await page.fill('#card_number', '');
      await page.keyboard.press('ControlOrMeta+V');
      expect(await page.inputValue('#card_number')).toBe('4929 3815 3328 7748');
    }
  });

  it('a digit in the middle does not move the cursor to the end', async () => {
    const page = await open((await newPayment()).url);
    await page.fill('#card_number', '4929 815 3328 7748');
    await page.evaluate(`document.querySelector('#card_number').setSelectionRange(5, 5)`);
    await page.keyboard.type('3');
    expect(await page.evaluate(`document.querySelector('#card_number').selectionStart`)).toBe(6);
  });

  it('is supported by autofill', async () => {
    const page = await open((await newPayment()).url);
    const attributes = (name: string) =>
      page.evaluate(`['autocomplete', 'inputmode'].map(name => document.querySelector('#${name}').getAttribute(name))`);
    expect(await attributes('card_number')).toEqual(['cc-number', 'numeric']);
    expect(await attributes('holder_name')).toEqual(['cc-name', null]);
    expect(await attributes('expiration')).toEqual(['cc-exp', 'numeric']);
    expect(await attributes('cvv2')).toEqual(['cc-csc', 'numeric']);
  });
});

describe('an invalid card', () => {
  it('shows what is wrong with a field as soon as it is left, and nothing about empty fields', async () => {
    const page = await open((await newPayment()).url);
    const problems = () => page.locator('.hint .bad').allTextContents();
    await page.locator('#card_number').pressSequentially('4111111111111112');
    expect(await problems()).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await problems()).toEqual(['Revisa el número de la tarjeta. ']);
    await page.locator('#expiration').pressSequentially('0120');
    await page.keyboard.press('Tab');
    expect(await problems()).toEqual(['Revisa el número de la tarjeta. ', 'La tarjeta está vencida. ']);
    await page.fill('#card_number', typed.card_number);
    await page.keyboard.press('Tab');
    expect(await problems()).toEqual(['La tarjeta está vencida. ']);
  });

  it('is found in the browser before it is sent: the invalid field gets the focus, and no field is cleared', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    const messages: unknown[] = [];
    for (const wrong of [
      { cvv2: '12' },
      { cvv2: 'abc' },
      { card_number: amex.card_number },
      { expiration: '01/20' },
      { expiration: '13/39' },
      { expiration: 'pronto' },
      { card_number: '4929381533287741' },
      { card_number: '4929' },
      { holder_name: '  ' },
    ]) {
      const entered = { ...typed, ...wrong };
      await fill(page, entered);
      await page.click('form button');
      const field = (await page.locator('[aria-invalid=true]').getAttribute('id')) ?? '';
      expect(await page.evaluate('document.activeElement.id')).toBe(field);
      const kept = await valuesOf(page);
      expect({ ...kept, card_number: kept.card_number.replaceAll(' ', '') }).toEqual(entered);
      const hint = await page.getAttribute(`#${field}`, 'aria-describedby');
      messages.push([field, (await page.textContent(`#${hint} .bad`))?.trim()]);
    }
    expect(messages).toEqual([
      ['cvv2', 'Revisa el código de seguridad.'],
      ['cvv2', 'Revisa el código de seguridad.'],
      ['cvv2', 'Revisa el código de seguridad.'],
      ['expiration', 'La tarjeta está vencida.'],
      ['expiration', 'Escribe el mes y el año, por ejemplo 08/29.'],
      ['expiration', 'Escribe el mes y el año, por ejemplo 08/29.'],
      ['card_number', 'Revisa el número de la tarjeta.'],
      ['card_number', 'Revisa el número de la tarjeta.'],
      ['holder_name', 'Escribe el nombre como aparece en la tarjeta.'],
    ]);
    expect(await page.locator('.alert').count()).toBe(0);
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    expect(chargesOf(id)).toEqual(['approved']);
  });

  it('is explained without JavaScript at the invalid field, which gets the focus, and nothing is charged', async () => {
    const { id, url } = await newPayment();
    const page = await open(url, { javaScriptEnabled: false });
    await pay(page, { expiration: '01/20' });
    expect(await page.textContent('.alert')).toBe('Revisa los campos marcados.');
    expect(await page.textContent('#expiration-hint .bad')).toBe('La tarjeta está vencida.');
    expect(chargesOf(id)).toEqual([]);
    expect(await read(id)).toMatchObject({ status: 'charge_pending' });
  });

  it('is still formatted while it is corrected', async () => {
    const page = await open((await newPayment()).url);
    await fill(page, { card_number: '4929' });
    await page.click('form button');
    await page.fill('#card_number', '');
    await page.locator('#card_number').pressSequentially(amex.card_number);
    expect(await brandIn(page)).toBe('American Express');
    expect(await page.inputValue('#card_number')).toBe('3714 496353 98431');
  });

  it('moves the focus to the first of several invalid fields', async () => {
    const page = await open((await newPayment()).url);
    await fill(page, { holder_name: ' ', expiration: 'pronto' });
    await page.click('form button');
    expect(await page.locator('[aria-invalid=true]').count()).toBe(2);
    expect(await page.evaluate('document.activeElement.id')).toBe('holder_name');
  });

  it('is marked at all invalid fields together, each with a description, in both languages', async () => {
    const { id, url } = await newPayment();
    const wrong = { card_number: '4929381533287741', holder_name: ' ', expiration: '01/20', cvv2: '12' };
    for (const [query, texts] of [
      ['', ['Revisa el número de la tarjeta.', 'Escribe el nombre', 'La tarjeta está vencida.', 'Revisa el código']],
      ['?lang=en', ['Check the card number.', 'Enter the name', 'The card has expired.', 'Check the security code.']],
    ] as const) {
      const page = await open(`${url}${query}`);
      await fill(page, wrong);
      await page.click('form button');
      const fields = page.locator('form input:not([type=hidden])');
      const marks = await fields.evaluateAll(inputs =>
        (inputs as unknown as { ariaInvalid: string; getAttribute(name: string): string }[]).map(input => [
          input.ariaInvalid,
          input.getAttribute('aria-describedby'),
        ]),
      );
      expect(marks.map(([invalid]) => invalid)).toEqual(['true', 'true', 'true', 'true']);
      for (const [i, [, hint]] of marks.entries())
        expect(await page.textContent(`#${hint} .bad`)).toContain(texts[i] ?? 'no text');
    }
    expect(chargesOf(id)).toEqual([]);
  });

  it('keeps the entered values except the number and the security code without JavaScript', async () => {
    const page = await open((await newPayment()).url, { javaScriptEnabled: false });
    await pay(page, { cvv2: '12' });
    expect(await valuesOf(page)).toEqual({ ...typed, card_number: '', cvv2: '' });
    await pay(page, { expiration: 'pronto' });
    expect(await valuesOf(page)).toEqual({ ...typed, expiration: 'pronto', card_number: '', cvv2: '' });
  });

  it('is not returned if the number was entered into another field', async () => {
    const { url } = await newPayment();
    const answer = await send(url, { ...typed, holder_name: '4929 3815 3328 7748', expiration: '49293815', cvv2: '1' });
    expect(await answer.text()).not.toMatch(/4929/);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('is marked in the browser at all empty fields together, and keeps the other values', async () => {
    const page = await open((await newPayment()).url);
    await fill(page, { holder_name: '', cvv2: '' });
    await page.click('form button');
    const marked = page.locator('[aria-invalid=true]');
    expect(await marked.evaluateAll(inputs => inputs.map(({ id }) => id))).toEqual(['holder_name', 'cvv2']);
    expect(await page.textContent('#cvv2-hint')).toContain('Revisa el código de seguridad.');
    expect(await page.evaluate('document.activeElement.id')).toBe('holder_name');
    expect(await page.inputValue('#card_number')).toBe('4929 3815 3328 7748');
    await page.fill('#holder_name', 'Ana');
    expect(await marked.count()).toBe(1);
    expect(await page.locator('#holder_name-hint .bad').count()).toBe(0);
  });

  it('is not sent while a field is empty', async () => {
    const { url } = await newPayment();
    const page = await open(url);
    await fill(page, { holder_name: '' });
    await page.click('form button');
    expect(await page.evaluate(`document.querySelector('input:invalid').id`)).toBe('holder_name');
    expect(await page.locator('.alert').count()).toBe(0);
  });

  it('is accepted after the correction', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await fill(page, { cvv2: '1' });
    await page.click('form button');
    await fill(page, { ...typed, card_number: amex.card_number, cvv2: amex.cvv2 });
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    expect(chargesOf(id)).toEqual(['approved']);
  });
});
