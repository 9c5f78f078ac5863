/** Receipts of subscription charges: how the amount of a period is composed, and the links on the payer's page. */
import { writeFileSync } from 'node:fs';
import { fromRoot } from '../../../src/platform/root';
import { testPayers } from '../../harness/browser/payers';
import { readPdf } from '../../harness/browser/pdf';
import { payerPages } from '../../harness/merchant/payerPages';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api, shop } = billing;
const payers = testPayers(api);
const { linkTo } = payerPages(billing);
const plainText = async (url: string) =>
  (await (await fetch(url)).text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

it('the receipt of a period lists the plan, the quantity, the discount, the extras and the credit', async () => {
  const code = `RECEIPT${api.merchants().own.id.slice(-6).toUpperCase()}`;
  await shop.post('/coupons', { code, percent_off: 20, duration: 'forever' });
  const subscription = await billing.subscribe('2040-01-10', {
    plan: { name: 'Revista Digital', amount: 50_000, iva: '19%' },
    quantity: 3,
    coupon: code,
  });
  await shop.post(`${subscription.path}/extras`, { description: 'Envíos – enero', amount: 12_000 });
  await shop.post(`${subscription.path}/extras`, { description: 'Cortesía', amount: -3_000 });
  await subscription.moveTo('2040-02-10');
  const [first, second] = await subscription.charges();
  expect([first.amount, second.amount]).toEqual([120_000, 129_000]);
  const { url, pdf_url } = (await api.rest('GET', `/charges/${second.id}/receipt`)).body;
  const { text: printed, picture } = await readPdf(
    payers.browser(),
    new Uint8Array(await (await fetch(pdf_url)).arrayBuffer()),
  );
  for (const text of [await plainText(url), printed]) {
    expect(text).toContain('Revista Digital · Período 2');
    expect(text).toMatch(/Revista Digital, 3 unidades \$.150\.000 Descuento [−–]\$.30\.000 /);
    expect(text).toMatch(/Envíos – enero \$.12\.000 Cortesía [−–]\$.3\.000 Total pagado \$.129\.000 /);
    expect(text).toMatch(/Base sin IVA \$.108\.403,36 IVA incluido \(19 %\) \$.20\.596,64 /);
    expect(text).toMatch(/Fecha del pago 10\/02\/2040, \d\d:\d\d \(hora de Colombia\) Medio de pago Visa ···· \d{4} /);
    expect(text).toContain('Pagado por María');
  }
  const page = await payers.open(url);
  if (process.env.SCREENSHOTS) {
    writeFileSync(fromRoot('screenshots/receipt-pdf.png'), picture);
    await page.screenshot({ path: fromRoot('screenshots/receipt-subscription.png'), fullPage: true });
  }
  await page.goto(await linkTo(subscription));
  const links = page.getByRole('link', { name: /^Recibo del / });
  expect(await links.allTextContents()).toEqual(['10 feb 2040', '10 ene 2040']);
  await links.first().click();
  await page.getByText('Revista Digital · Período 2').waitFor();
});
