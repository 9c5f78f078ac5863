/** Links that several payers use, and links whose amount the payer enters: each payer is charged once, and no more of them. */
import { barcodesIn } from '../harness/browser/barcodes';
import { send } from '../harness/browser/payers';
import { eventually } from '../harness/flow/until';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { paymentLinks } from '../harness/merchant/paymentLinks';
import { errorOf, sendRequest, testApi } from '../harness/servers/api';

const api = testApi({ trustedProxies: ['127.0.0.1'] });
const shop = merchantCalls(api);
const { newLink, read, cancel, choose, submit, submitCard, pageOf } = paymentLinks(api);
const db = () => api.database.db();
const course = { kind: 'payment', amount: 80000, description: 'Curso', reusable: true };
const donation = { kind: 'payment', description: 'Donación', min_amount: 5000, max_amount: 500_000 };
const WITHOUT_FUNDS = { card_number: '4000000000003345' };

const follow = (response: Response): Promise<string> =>
  fetch(new URL(response.headers.get('location') ?? '', api.origin())).then(({ url }) => url);
/** A payer sends the form, and gets to the page of the payment. */
const begin = async (url: string, method = 'card'): Promise<string> => follow(await choose(url, method));
const usesOf = async (id: string) => (await api.rest('GET', `/payment_links?parent_id=${id}&limit=100`)).body;
const useIn = async (url: string): Promise<string> => /name="use" value="(\w+)"/.exec(await pageOf(url))?.[1] ?? '';
const several = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

describe('a reusable link', () => {
  it('charges five of fifty simultaneous payers if it has five payments left', async () => {
    const { id, url } = await newLink({ ...course, max_payments: 6 });
    await submitCard(await begin(url));
    expect(await read(id)).toMatchObject({ status: 'active', funnel: { started: 1, paid: 1 } });
    const pages = await several(50, () => begin(url));
    expect(new Set(pages).size).toBe(50);
    await Promise.all(pages.map(page => submitCard(page)));
    expect(await read(id)).toMatchObject({ status: 'completed', max_payments: 6, funnel: { started: 51, paid: 6 } });
    const uses = (await usesOf(id)) as { status: string; transaction_id: string; parent_id: string }[];
    const paid = uses.filter(({ status }) => status === 'completed');
    expect([uses.length, paid.length, new Set(uses.map(({ parent_id }) => parent_id))]).toEqual([51, 6, new Set([id])]);
    const ids = uses.map(({ transaction_id }) => transaction_id);
    const charged = api.acquirer
      .journal()
      .filter(({ operation, key }) => operation === 'charge' && ids.some(one => key.startsWith(one)));
    expect(charged.map(({ outcome }) => outcome)).toEqual(Array(6).fill('approved'));
    const charge = (await api.rest('GET', `/charges/${paid[0]?.transaction_id}`)).body;
    expect(charge).toMatchObject({ status: 'completed', amount: 80000, payment_link_id: id });
    expect((await fetch(url)).status).toBe(410);
    expect(errorOf(await cancel(id))).toBe(3006);
    expect((await api.rest('GET', '/payment_links?status=completed')).body).toMatchObject([{ id }]);
    await expect(db().paymentLink.update({ where: { id }, data: { places: 7 } })).rejects.toThrow(/places_check/);
  });

  it('makes one payment of a form that is sent fifty times, and another one of another form', async () => {
    const { id, url } = await newLink(course);
    const form = { use: await useIn(url), method: 'card', name: 'Ana', email: 'ana@example.com' };
    const answers = await several(50, () => submit(url, form));
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    const page = await eventually(async () => {
      const at = await follow(answers[0] as Response);
      expect(at).toContain('/pay/');
      return at;
    });
    await several(50, () => submitCard(page));
    await submitCard(await begin(url));
    expect(await read(id)).toMatchObject({ status: 'active', funnel: { started: 2, paid: 2 } });
    expect(await db().transaction.count({ where: { parent_link_id: id } })).toBe(2);
  });

  it('keeps a place for a voucher until it is cancelled, and none for a declined card', async () => {
    const { id, url } = await newLink({ ...course, methods: ['card', 'store'], max_payments: 1 });
    const card = await begin(url);
    const voucher = await begin(url, 'store');
    expect(voucher).toContain('/vouchers/');
    expect((await fetch(url)).status).toBe(410);
    await submitCard(card);
    expect(await pageOf(card)).toContain('Este enlace ya no está disponible');
    const used = ((await usesOf(id)) as { id: string; methods: string[] }[])[0]?.id ?? '';
    expect((await cancel(used)).body.status).toBe('cancelled');
    await submitCard(card, WITHOUT_FUNDS);
    expect(await db().paymentLink.findUniqueOrThrow({ where: { id } })).toMatchObject({ places: 0, payments: 0 });
    await submitCard(card, { attempt: '1' });
    expect(await read(id)).toMatchObject({ status: 'completed', funnel: { started: 2, paid: 1 } });
    expect(await pageOf(card)).toContain('Pago aprobado');
  });

  it('lets no more payers begin in an hour than its quotas allow, and those who have begun return', async () => {
    const { id, url } = await newLink(course);
    const [network, another] = [{ 'x-forwarded-for': '2001:db8::1' }, { 'x-forwarded-for': '2001:db8:0:1::1' }];
    const form = (use: string) => ({ use, method: 'card', name: 'Ana', email: 'ana@example.com' });
    const begun = await send(url, form(await useIn(url)), network);
    const useUp = (name: string, used: number) =>
      // The quota of the next hour too, which may begin during the test.
      db().quota.updateMany({ where: { name }, data: { used, hour: new Date(Date.now() + 3_600_000) } });
    expect(await useUp(`uses of ${id} from 2001:db8:0:0`, 100)).toEqual({ count: 1 });
    const refused = await send(url, form(await useIn(url)), { 'x-forwarded-for': '2001:db8::2' });
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('Demasiadas solicitudes')]);
    expect((await send(url, form(await useIn(url)), another)).status).toBe(303);
    expect(await useUp(`uses of ${id}`, 2000)).toEqual({ count: 1 });
    expect((await choose(url)).status).toBe(429);
    const { transaction_id } = (await usesOf(id)).at(-1);
    expect((await submitCard(await follow(begun))).status).toBe(303);
    expect((await api.rest('GET', `/charges/${transaction_id}`)).body.status).toBe('completed');
    expect(await read(id)).toMatchObject({ funnel: { started: 2, paid: 1 } });
    expect((await choose((await newLink(course)).url)).status).toBe(303);
  });

  it('with limited payments keeps places for a short time, and three for the payers of one network', async () => {
    const limited = await newLink({ ...course, methods: ['card', 'store', 'bre_b'], max_payments: 50 });
    const by = (method: string, address: string) =>
      send(limited.url, { method, name: 'Ana', email: 'ana@example.com' }, { 'x-forwarded-for': address });
    for (const method of ['store', 'bre_b', 'store']) expect((await by(method, '192.0.2.1')).status).toBe(303);
    expect((await by('bre_b', '192.0.2.1')).status).toBe(429);
    const card = await by('card', '192.0.2.1');
    expect([card.status, (await by('store', '192.0.2.2')).status]).toEqual([303, 303]);
    const child = new URL(card.headers.get('location') ?? '', api.origin()).href;
    expect((await submit(child, { method: 'store', name: 'Ana', email: 'ana@example.com' })).status).toBe(429);
    const { url: unlimited, id } = await newLink({ ...course, methods: ['store'] });
    for (let i = 0; i < 4; i += 1) await begin(unlimited, 'store');
    const hoursOf = async (parent_link_id: string, method: string) => {
      const payments = await db().transaction.findMany({ where: { parent_link_id, method } });
      return payments.map(({ creation_date, expires_at }) => (Number(expires_at) - Number(creation_date)) / 3_600_000);
    };
    const near = (hours: number) => expect.closeTo(hours, 1);
    expect(await hoursOf(limited.id, 'store')).toEqual(Array(3).fill(near(24)));
    expect(await hoursOf(limited.id, 'bre_b')).toEqual([near(0.5)]);
    expect(await hoursOf(id, 'store')).toEqual(Array(4).fill(near(72)));
    const uses = (await usesOf(limited.id)) as { id: string }[];
    await cancel(uses.at(-1)?.id ?? '');
    expect((await by('bre_b', '192.0.2.1')).status).toBe(303);
    await several(20, () => by('bre_b', '192.0.2.3'));
    expect(await db().transaction.count({ where: { parent_link_id: limited.id } })).toBeLessThanOrEqual(9);
  });

  it('that is closed charges no payer who has begun', async () => {
    const { id, url } = await newLink(course);
    const page = await begin(url);
    expect((await cancel(id)).body).toMatchObject({ id, status: 'cancelled' });
    await submitCard(page);
    expect(await pageOf(page)).toContain('Este enlace ya no está disponible');
    await choose(url);
    expect(await db().paymentLink.count({ where: { parent_id: id } })).toBe(1);
    expect(await db().transaction.count({ where: { parent_link_id: id, status: 'completed' } })).toBe(0);
  });

  it('has uses that other merchants do not see, and refuses the use of another link', async () => {
    const [first, second] = [await newLink(course), await newLink(course)];
    await begin(first.url);
    const [{ id: use }] = (await usesOf(first.id)) as [{ id: string }];
    const { other } = api.merchants();
    const uses = await sendRequest(`${api.origin()}/v1/${other.id}/payment_links?parent_id=${first.id}`, 'GET', {
      key: other.private_key,
    });
    expect(uses.body).toEqual([]);
    await submit(second.url, { use, method: 'card', name: 'Ana', email: 'ana@example.com' });
    expect(await usesOf(second.id)).toEqual([]);
    const listed = (await api.rest('GET', '/payment_links?limit=100')).body as { id: string }[];
    expect(listed.map(({ id }) => id)).not.toContain(use);
  });
});

describe('a link whose amount the payer enters', () => {
  const enter = (url: string, fields: Record<string, string>) =>
    submit(url, { name: 'Ana', email: 'ana@example.com', ...fields });

  it.each([
    ['5000', 5000],
    ['500.000', 500_000],
    ['$ 12.345', 12_345],
    ['50,000.00', 50_000],
    ['4999', undefined],
    ['500.001', undefined],
    ['0', undefined],
    ['-5000', undefined],
    ['50.00', undefined],
    ['12.345,50', undefined],
    ['1e5', undefined],
    ['99999999999999999999', undefined],
    ['', undefined],
  ])('reads %j', async (typed, amount) => {
    const { id, url } = await newLink(donation);
    const answer = await enter(url, { amount: typed });
    expect(answer.status).toBe(amount === undefined ? 422 : 303);
    const uses = (await usesOf(id)) as { amount: number }[];
    expect(uses.map(use => use.amount)).toEqual(amount === undefined ? [] : [amount]);
  });

  it('makes another payment if the payer goes back and enters another amount, and no third one', async () => {
    const { id, url } = await newLink(donation);
    const use = await useIn(url);
    const pages: (string | null)[] = [];
    for (const amount of ['5000', '6000', '6000', '5000', '7000'])
      pages.push((await enter(url, { use, amount })).headers.get('location'));
    const [five = null, six = null, ...later] = pages;
    expect(later).toEqual([six, five, expect.any(String)]);
    expect(new Set(pages).size).toBe(3);
    expect(((await usesOf(id)) as { amount: number }[]).map(one => one.amount)).toEqual([7000, 6000, 5000]);
  });

  it('is completed by one payment of the chosen amount', async () => {
    const { id, url } = await newLink({ ...donation, suggested_amounts: [20_000, 50_000], iva: '19%' });
    expect(await read(id)).toMatchObject({ reusable: false, suggested_amounts: [20_000, 50_000], min_amount: 5000 });
    const [first, second] = [
      await enter(url, { suggested: '20000', amount: '999' }).then(follow),
      await enter(url, { suggested: 'other', amount: '30.000' }).then(follow),
    ];
    await Promise.all([submitCard(first ?? ''), submitCard(second ?? '')]);
    const link = await read(id);
    expect(link).toMatchObject({ status: 'completed', funnel: { started: 2, paid: 1 } });
    expect(link).not.toHaveProperty('max_payments');
    const payments = await db().transaction.findMany({ where: { parent_link_id: id, status: 'completed' } });
    expect([2_000_000n, 3_000_000n]).toContain(payments[0]?.amount);
    expect(payments).toHaveLength(1);
  });

  it.each([
    [{ ...donation, min_amount: undefined }, 400, 1001, 'min_amount'],
    [{ ...donation, max_amount: 4999 }, 422, 1003, 'max_amount'],
    [{ ...donation, min_amount: 5000.5 }, 422, 1003, 'min_amount'],
    [{ ...donation, amount: 5000 }, 422, 1003, 'min_amount'],
    [{ ...donation, suggested_amounts: [4000] }, 422, 1003, 'suggested_amounts'],
    [{ ...donation, suggested_amounts: [1, 2, 3, 4, 5, 6, 7] }, 422, 1003, 'suggested_amounts'],
    [{ ...donation, iva: '1900' }, 422, 1003, 'iva'],
    [{ ...donation, order_id: 'one' }, 422, 1003, 'order_id'],
    [{ ...course, order_id: 'one' }, 422, 1003, 'order_id'],
    [{ ...course, reusable: false, max_payments: 5 }, 422, 1003, 'max_payments'],
    [{ ...course, max_payments: 0 }, 422, 1003, 'max_payments'],
    [{ kind: 'card', customer_id: 'a', reusable: true }, 422, 1003, 'reusable'],
  ])('refuses %j', async (body, status, code, field) => {
    const { body: answer } = await shop.post('/payment_links', body);
    expect([answer.http_code, answer.error_code, answer.field]).toEqual([status, code, field]);
  });
});

it('the QR code of a link is served as SVG and PNG', async () => {
  const { id } = await newLink(course);
  const { qr_code_url, url } = await read(id);
  const svg = await fetch(qr_code_url);
  expect([svg.status, svg.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(await svg.text()).toContain('<svg');
  const png = await fetch(qr_code_url.replace('.svg', '.png'));
  expect(png.headers.get('content-type')).toBe('image/png');
  expect(png.headers.get('cache-control')).toBe('public, max-age=86400');
  const picture = Buffer.from(await png.arrayBuffer());
  expect(await barcodesIn(picture, 'QRCode')).toEqual([url]);
  // The width in the header of the PNG.
  expect(picture.readUInt32BE(16)).toBeLessThan(600);
  expect((await fetch(qr_code_url.replace(/links\/\w+/, 'links/y0000000000000000000'))).status).toBe(404);
});
