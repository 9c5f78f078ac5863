/** A payer opens a payment link: each of its pages leads to the next, fits a phone and a desktop, and is accessible. */
import type { Page } from 'playwright-core';
import { expectGoodLooks } from '../harness/browser/accessibility';
import { fill, heading, pay, press, testPayers } from '../harness/browser/payers';
import { eventually } from '../harness/flow/until';
import { paymentLink, paymentLinks } from '../harness/merchant/paymentLinks';
import { suspension } from '../harness/merchant/suspension';
import { testApi } from '../harness/servers/api';

const WITHOUT_FUNDS = { card_number: '4000000000003345' };
const EXPIRED = { card_number: '4000000000000069' };
const api = testApi({ trustedProxies: ['127.0.0.1'] });
const payers = testPayers(api);
const { open, merchantUrl, shop } = payers;
const links = paymentLinks(api);
const { newLink, newCardLink, newSubscriptionLink, read, cancel } = links;
const db = () => api.database.db();

const anyMethod = { ...paymentLink, methods: ['card', 'bank_account', 'store'] };
const address = { department: 'Antioquia', city: 'Medellín', additional: 'Calle 1 # 2-3' };
const alert = (page: Page) => page.textContent('[role=alert]');

async function choose(page: Page, method: string, details: Record<string, string> = {}): Promise<void> {
  await page.getByLabel(method).check();
  for (const [name, value] of Object.entries({ name: 'Ana', email: 'ana@example.com', ...details }))
    await page.fill(`#${name}`, value);
  await press(page);
}

describe('a link for a payment', () => {
  it('is paid by card after a decline, and returns to the shop', async () => {
    const { id, url } = await newLink({ ...anyMethod, redirect_url: `${merchantUrl()}/thanks?cart=7` });
    const page = await open(url);
    expect(await heading(page)).toBe('¿Cómo quieres pagar?');
    expect(await page.textContent('.summary')).toMatch(/Tienda.*Pedido 81.*\$\s80\.000/s);
    await page.click('form button');
    expect(await page.textContent('#email-hint')).toContain('Escribe un correo');
    await expectGoodLooks(page, 'link-choice-wrong');
    await choose(page, 'Tarjeta de crédito o débito');
    expect(await heading(page)).toBe('Pago con tarjeta');
    await pay(page, WITHOUT_FUNDS);
    expect(await alert(page)).toContain('Fondos insuficientes');
    await pay(page);
    const { transaction_id } = await read(id);
    await page.waitForURL(`${merchantUrl()}/thanks?cart=7&id=${transaction_id}`);
    await page.goto(url);
    expect(await heading(page)).toBe('Pago aprobado');
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('leads from a voucher to the bank, and withdraws the voucher', async () => {
    const { id, url } = await newLink(anyMethod);
    const page = await open(url);
    await choose(page, 'Efectivo');
    expect(await heading(page)).toBe('Cupón de pago');
    await expectGoodLooks(page, 'link-voucher');
    const voucher = (await read(id)).transaction_id;
    await press(page, 'text=Elegir otro medio de pago');
    expect(await page.isVisible('#city')).toBe(false);
    await page.getByLabel('PSE').check();
    await page.locator('#city').waitFor();
    await expectGoodLooks(page, 'link-choice-bank');
    await choose(page, 'PSE', address);
    await page.waitForURL('**/bank/*');
    expect((await payers.read(voucher)).status).toBe('cancelled');
    await press(page, 'text=Dejar pendiente');
    await page.goto(url);
    expect(await heading(page)).toBe('Pago pendiente');
    await expectGoodLooks(page, 'link-bank-pending');
    await press(page, 'text=Ir al banco');
    await press(page, 'text=Aprobar');
    expect(await heading(page)).toBe('Pago aprobado');
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('is paid by Bre-B after a voucher was chosen, and leads to the other methods until then', async () => {
    const { id, url } = await newLink({ ...paymentLink, methods: ['bre_b', 'store'] });
    const page = await open(url);
    for (const method of ['Bre-B', 'Efectivo', 'Bre-B']) {
      if (page.url() !== url) await press(page, 'text=Elegir otro medio de pago');
      await choose(page, method);
    }
    expect(await heading(page)).toBe('Pago con Bre-B');
    await press(page, 'text=Abrir la app del banco');
    await press(page, 'text=Aprobar');
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('is paid in a store', async () => {
    const { id, url } = await newLink({ ...paymentLink, methods: ['store'] });
    const page = await open(url);
    expect(await heading(page)).toBe('Pago a Tienda');
    await page.fill('#name', 'Ana');
    await page.fill('#email', 'ana@example.com');
    await press(page);
    await shop.post(`/sandbox/charges/${(await read(id)).transaction_id}/pay`, {});
    await page.goto(url);
    expect(await heading(page)).toBe('Pago aprobado');
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });
});

it('a link for a card saves a card, also after an invalid and a declined one', async () => {
  const { id, url, customer_id } = await newCardLink({ redirect_url: `${merchantUrl()}/thanks` });
  const page = await open(url);
  expect(await heading(page)).toBe('Registra tu tarjeta');
  await fill(page, { expiration: '01/20' });
  await page.click('form button');
  expect(await page.textContent('#expiration-hint')).toContain('vencida');
  await pay(page, EXPIRED);
  expect(await alert(page)).toContain('La tarjeta no se guardó');
  await expectGoodLooks(page, 'link-card-declined');
  await pay(page);
  const { card_id } = await read(id);
  await page.waitForURL(`${merchantUrl()}/thanks?id=${card_id}`);
  const cards = (await api.rest('GET', `/customers/${customer_id}/cards`)).body;
  expect(cards.map((card: { id: string }) => card.id)).toEqual([card_id]);
  await page.goto(url);
  expect(await heading(page)).toBe('Tu tarjeta quedó registrada');
  expect(await page.textContent('dd')).toBe('Visa ···· 7748');
});

it.each([
  ['without a trial', 0, 'el primer cobro se hace hoy', 'Tu suscripción está activa'],
  ['with a trial', 7, '7 días de prueba sin costo', 'Tu período de prueba empezó'],
])('a link for a subscription states its terms and subscribes, %s', async (_, trial_days, terms, done) => {
  const { id, url } = await newSubscriptionLink({ name: 'Mensual', trial_days });
  const page = await open(url);
  expect(await heading(page)).toBe('Suscríbete');
  expect(await page.textContent('main')).toContain(terms);
  expect(await page.textContent('form button')).toMatch(/^Suscribirme por \$\s49\.900 cada mes$/);
  await expectGoodLooks(page, `link-subscription-${trial_days}`);
  await page.check('#consent');
  await pay(page);
  expect(await heading(page)).toBe(done);
  await expectGoodLooks(page, `link-subscribed-${trial_days}`);
  expect(await read(id)).toMatchObject({ status: 'completed' });
});

/** Each state of a link by its heading in both languages, and its status. */
const states: [name: string, es: string, en: string, status: number, createUrl: () => Promise<string>][] = [
  ['choice', '¿Cómo quieres pagar?', 'How do you want to pay?', 200, async () => (await newLink(anyMethod)).url],
  ['card', 'Registra tu tarjeta', 'Save your card', 200, async () => (await newCardLink()).url],
  [
    'cancelled',
    'Este enlace ya no está disponible',
    'This link is no longer available',
    410,
    async () => {
      const { id, url } = await newLink();
      await cancel(id);
      return url;
    },
  ],
  [
    'expired',
    'Este enlace ya no está disponible',
    'This link is no longer available',
    410,
    () => changed({ expires_at: new Date(0) }),
  ],
  [
    'used',
    'Tu tarjeta quedó registrada',
    'Your card is saved',
    200,
    async () => {
      const { url } = await newCardLink();
      await links.submitCard(url);
      return url;
    },
  ],
  ['busy', 'Un momento…', 'One moment…', 200, () => changed({ lease_until: new Date(Date.now() + 3_600_000) })],
  ['exhausted', 'Demasiados intentos', 'Too many attempts', 200, () => changed({ declines: 10 })],
  [
    'unpaid',
    'Tu suscripción quedó creada, sin el primer pago',
    'Your subscription was created without its first payment',
    200,
    async () => {
      const { url } = await newSubscriptionLink();
      await links.subscribe(url, WITHOUT_FUNDS);
      return url;
    },
  ],
  ['unknown', 'No encontramos este pago', 'We could not find this payment', 404, async () => `${api.origin()}/links/0`],
];

async function changed(data: object): Promise<string> {
  const { id, url } = await newCardLink();
  await db().paymentLink.update({ where: { id }, data });
  return url;
}

it.each(states)('the page of a link that is in the state "%s"', async (name, es, en, status, createUrl) => {
  const url = await createUrl();
  const response = await fetch(`${url}?lang=en`);
  expect([response.status, /<h1[^>]*>([^<]*)</.exec(await response.text())?.[1]]).toEqual([status, en]);
  const page = await open(url);
  expect(await heading(page)).toBe(es);
  await expectGoodLooks(page, `link-${name}`);
});

it('an order that was paid with another link is not paid again', async () => {
  const [first, second] = [
    await newLink({ ...paymentLink, order_id: 'one' }),
    await newLink({ ...paymentLink, order_id: 'one' }),
  ];
  await links.choose(first.url);
  const page = await open(second.url);
  await page.fill('#name', 'Ana');
  await page.fill('#email', 'ana@example.com');
  await press(page);
  expect(await heading(page)).toBe('Este pedido ya tiene un pago');
  await expectGoodLooks(page, 'link-order-paid');
});

it('a page that waits shows the result when there is one', async () => {
  const { id, url } = await newCardLink();
  await db().paymentLink.update({ where: { id }, data: { lease_until: new Date(Date.now() + 3_600_000) } });
  const page = await open(url);
  await db().paymentLink.update({ where: { id }, data: { lease_until: null } });
  await eventually(async () => expect(await heading(page)).toBe('Registra tu tarjeta'));
});

it('the page of a suspended merchant says that payment is not possible', async () => {
  const { url } = await newLink();
  const { suspend, resume } = suspension(api);
  await suspend();
  const page = await open(url);
  expect(await heading(page)).toBe('Este enlace no está disponible por ahora');
  await expectGoodLooks(page, 'link-suspended');
  await resume();
  await page.reload();
  expect(await heading(page)).toBe('Pago a Tienda');
});
