/** The rate limits of the pages. Each limit lasts a minute, so the order of these tests matters. */

import { send, testPayers, typed } from '../harness/browser/payers';
import { freezeClock } from '../harness/flow/frozenClock';
import { paymentLinks } from '../harness/merchant/paymentLinks';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const { newPayment, chargesOf } = testPayers(api);
const { newLink, newPlanLink, read } = paymentLinks(api);
const form = { ...typed, attempt: '0' };

describe('one client', () => {
  it('can send sixty cards a minute, and load the page without a limit', async () => {
    freezeClock();
    const { id, url } = await newPayment();
    for (let i = 0; i < 60; i++) expect((await send(url, { ...form, cvv2: '1' })).status).toBe(422);
    const answer = await send(url, form);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('Demasiadas solicitudes');
    expect((await send((await newPayment()).url, form)).status).toBe(429);
    expect(chargesOf(id)).toEqual([]);
    for (let i = 0; i < 100; i++) expect((await fetch(url)).status).toBe(200);
  });

  it('can name thirty coupons a minute, and load the page of the plan without a limit', async () => {
    freezeClock();
    const { url } = await newPlanLink({}, { accepts_coupons: true });
    const closed = await newPlanLink();
    const status = async (link: string, code: string) => (await fetch(`${link}?coupon=${code}`)).status;
    for (let i = 0; i < 30; i++) expect(await status(closed.url, `CODE${i}`)).toBe(200);
    for (let i = 0; i < 30; i++) expect(await status(url, `CODE${i}`)).toBe(422);
    const refused = await fetch(`${url}?coupon=CODE30`);
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('Demasiadas solicitudes')]);
    expect(await status(url, '')).toBe(200);
  });

  it('can request sixty QR codes a minute', async () => {
    freezeClock();
    const { qr_code_url } = await read((await newLink()).id);
    for (let i = 0; i < 60; i++) expect((await fetch(qr_code_url)).status).toBe(200);
    expect((await fetch(qr_code_url.replace('.svg', '.png'))).status).toBe(429);
  });

  it('can request thirty unknown pages a minute, which does not affect a payer at the same IP address', async () => {
    freezeClock();
    const { url } = await newPayment();
    const guess = (i: number) => fetch(`${api.origin()}/${['pay', 'vouchers'][i % 2]}/${String(i).padStart(20, 'y')}`);
    for (let i = 0; i < 30; i++) expect((await guess(i)).status).toBe(404);
    expect((await guess(30)).status).toBe(429);
    expect((await fetch(url)).status).toBe(200);
  });
});
