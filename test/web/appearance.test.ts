/** A merchant's logo, colour and contact details, as payers see them on pages, paper and in e-mails. */
import { readFileSync } from 'node:fs';
import type { Mail } from '../../src/notifications/email/mailer';
import { drainOutbox } from '../../src/operations/background/outbox';
import { outboxHandlers } from '../../src/operations/background/outboxHandlers';
import { contrast } from '../../src/platform/colour';
import { fromRoot } from '../../src/platform/root';
import { bothSizes, heading, send, testPayers, typed } from '../harness/browser/payers';
import { readPdf } from '../harness/browser/pdf';
import { dataUrl, png } from '../harness/browser/pictures';
import { freezeClock } from '../harness/flow/frozenClock';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownWorld: true });
const payers = testPayers(api);
const { open, newPayment, newVoucher, shop, on, browser } = payers;
const axe = readFileSync(fromRoot('node_modules/axe-core/axe.min.js'), 'utf8');

const profile = {
  name: 'Flores de Bogotá',
  website: 'https://flores.example/tienda',
  support_email: 'ayuda@flores.example',
  support_phone: '+57 300 123 45 67',
  /** Too light for white text. */
  colour: '#ffcc00',
  logo: dataUrl(png(320, 96)),
};
let logo: string;
beforeAll(async () => {
  logo = (await api.rest('PUT', '', { body: profile })).body.logo;
});

const hex = (rgb: string): string =>
  `#${(rgb.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map(part => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;

describe.each(bothSizes)('on a %s', size => {
  on(size);

  it('a payment page has the logo, colored buttons and the footer, under the same content policy', async () => {
    const { url } = await newPayment();
    const page = await open(url);
    const image = page.locator('header img');
    expect(await image.getAttribute('alt')).toBe(profile.name);
    expect(`${api.origin()}${await image.getAttribute('src')}`).toBe(logo);
    const { width = 0, height = 0 } = (await image.boundingBox()) ?? {};
    expect([Math.round(width), Math.round(height)]).toEqual([160, 48]);
    const styleOf = (selector: string, name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`);
    const button = hex(await styleOf('form > button', 'background-color'));
    expect(contrast(button, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    // The hue stays yellow; only the lightness changes.
    expect(button).toMatch(/^#[4-9a-f]./);
    expect(button.slice(5)).toBe('00');
    expect(hex(await styleOf('main', 'border-top-color'))).toBe(profile.colour);
    await page.emulateMedia({ colorScheme: 'dark' });
    const [onDark, paper] = [
      await styleOf('form > button', 'background-color'),
      await styleOf('main', 'background-color'),
    ];
    expect(contrast(hex(onDark), hex(paper))).toBeGreaterThanOrEqual(4.5);
    expect(hex(onDark)).not.toBe(button);
    const links = await page.$$eval('footer a', all => all.map(link => link.getAttribute('href')));
    expect(links).toEqual([`mailto:${profile.support_email}`, 'tel:+573001234567', profile.website]);
    expect(await page.textContent('footer')).toContain('flores.example');
    expect((await fetch(url)).headers.get('content-security-policy')).toContain("style-src 'self'; img-src 'self';");
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{ violations: { id: string; impact: string }[] }>('axe.run()');
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: fromRoot(`screenshots/appearance-${size}.png`), fullPage: true });
    await send(url, { ...typed, attempt: '0' });
    await page.goto(url);
    expect(await heading(page)).toBe('Pago aprobado');
    expect(await page.locator('header img').count()).toBe(1);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: fromRoot(`screenshots/appearance-paid-${size}.png`), fullPage: true });
  });
});

it('a voucher has the logo, and its PDF, which loads no external image, has the contact details', async () => {
  const { payment_method } = await newVoucher();
  const page = await open(payment_method.receipt_url);
  expect(await page.locator('header img').count()).toBe(1);
  const pdf = new Uint8Array(await (await fetch(`${payment_method.receipt_url}.pdf`)).arrayBuffer());
  const { text } = await readPdf(browser(), pdf);
  expect(text).toContain(profile.support_email);
  expect(text).toContain(profile.website);
});

it('unknown logo names fail with 404, and after many of them with 429', async () => {
  freezeClock();
  const statuses = [];
  for (let i = 0; i < 40; i++)
    statuses.push((await fetch(`${api.origin()}/logos/${String(i).padStart(32, '0')}.png`)).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
  expect((await fetch(logo)).status).toBe(200);
});

it('an e-mail has the logo, the colour and the contact details', async () => {
  const db = api.database.db();
  await shop.post('/charges', { ...shop.redirect, send_email: true });
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => ({ provider_id: String(mails.push(mail)) }), close: () => undefined };
  await drainOutbox(
    db,
    outboxHandlers('mail', { db, mailers: { production: mailer, sandbox: mailer, close: () => undefined } }),
  );
  const [mail] = mails;
  expect(mail?.html).toContain(`<img class="logo" src="${logo}" alt="Flores de Bogotá"`);
  const [, colour = ''] = /class="button"[^>]*background-color: (#[0-9a-f]{6})/.exec(mail?.html ?? '') ?? [];
  expect(contrast(colour, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  const ways = `${profile.support_email} · ${profile.support_phone} · ${profile.website}`;
  expect(mail?.text).toContain(ways);
  expect(mail?.html).toContain(ways);
});

it.each(['zzzzzz', 'FFCC00', 'ffcc0', 'ffcc00;x'])(
  'the stylesheet of the invalid colour %s responds 404',
  async colour => {
    expect((await fetch(`${api.origin()}/pages/colours/${encodeURIComponent(colour)}.css`)).status).toBe(404);
  },
);
