/** Stored data of payers' browsers, and the rights to write and read it. */
import { sweepActivities } from '../../../src/operations/background/sweep';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const ID = /^v[a-z0-9]{19}$/;
const seen = {
  user_agent: 'Mozilla/5.0',
  languages: 'es-CO,es',
  time_zone: 'America/Bogota',
  screen_width: 1280,
  touch_points: 0,
};
const publicly = (body: object) => api.rest('POST', '/devices', { key: api.merchants().own.public_key, body });
const read = (id: string) => api.rest('GET', `/devices/${id}`);

describe('/devices', () => {
  it('accepts browser data with the public key, and returns it to the private key', async () => {
    const { status, body, headers } = await publicly(seen);
    expect([status, body, headers.get('resource-id')]).toEqual([201, { id: expect.stringMatching(ID) }, body.id]);
    expect((await read(body.id)).body).toEqual({
      ...seen,
      id: body.id,
      address: '127.0.0.1',
      creation_date: expect.any(String),
    });
    const query = `{ device(device_id: "${body.id}") { id user_agent screen_width platform address } }`;
    expect((await api.graphql(query)).body.data.device).toMatchObject({
      id: body.id,
      platform: null,
      screen_width: 1280,
    });
    expect(errorOf(await api.rest('GET', `/devices/${body.id}`, { key: api.merchants().own.public_key }))).toBe(1010);
  });

  it('accepts it over GraphQL with the public key', async () => {
    const query = 'mutation($device: CreateDevice!) { createDevice(device: $device) { id } }';
    const key = api.merchants().own.public_key;
    const { body } = await api.graphql('', {}, { key, body: { query, variables: { device: seen } } });
    expect((await read(body.data.createDevice.id)).body).toMatchObject({ ...seen, address: '127.0.0.1' });
  });

  it('deletes it after 90 days', async () => {
    const db = api.database.db();
    const [old, recent] = [(await publicly(seen)).body.id, (await publicly(seen)).body.id];
    const age = (days: number) => new Date(Date.now() - days * 86_400_000);
    for (const [id, days] of [
      [old, 91],
      [recent, 89],
    ])
      await db.deviceSession.updateMany({ where: { id }, data: { creation_date: age(days) } });
    await sweepActivities(db, api.temporal()).sweepExpired();
    expect([(await read(old)).status, (await read(recent)).status]).toEqual([404, 200]);
  });

  it('accepts an ID that a browser created, and keeps the first data for an ID', async () => {
    const id = 'v0123456789abcdefghi';
    expect((await publicly({ ...seen, id })).body).toEqual({ id });
    expect((await publicly({ id, user_agent: 'Somebody else' })).body).toEqual({ id });
    expect((await read(id)).body.user_agent).toBe(seen.user_agent);
    // Another merchant can have the same ID.
    const { id: merchant, private_key: key } = api.merchants().other;
    const url = `${api.origin()}/v1/${merchant}/devices`;
    expect((await sendRequest(`${url}/${id}`, 'GET', { key })).status).toBe(404);
    expect((await sendRequest(url, 'POST', { key, body: { id, user_agent: 'Other' } })).status).toBe(201);
    expect((await sendRequest(`${url}/${id}`, 'GET', { key })).body).toMatchObject({
      user_agent: 'Other',
      address: null,
    });
    expect((await read(id)).body.user_agent).toBe(seen.user_agent);
  });

  it.each([
    [{ id: 'mine' }, 1003],
    [{ id: 'v0123456789ABCDEFGHI' }, 1003],
    [{ user_agent: 'x'.repeat(513) }, 1001],
    [{ languages: 5 }, 1001],
    [{ screen_width: -1 }, 1003],
    [{ color_depth: 'many' }, 1001],
  ])('refuses %j', async (body, code) => expect(errorOf(await publicly(body))).toBe(code));

  it('limits devices per address and hour, except from the merchant’s server', async () => {
    // The quota of the next hour too, which may begin during the test.
    const used = { used: 3600, hour: new Date(Date.now() + 3_600_000) };
    await api.database.db().quota.updateMany({ where: { name: { startsWith: 'devices ' } }, data: used });
    expect(errorOf(await publicly(seen))).toBe(1011);
    expect((await shop.post('/devices', seen)).status).toBe(201);
    await api.database.db().quota.deleteMany();
  });

  it('a charge accepts any device_session_id', async () => {
    const source_id = await shop.newCard();
    expect(
      (await shop.post('/charges', { ...shop.charge, source_id, customer: shop.payer, device_session_id: 'own' }))
        .status,
    ).toBe(200);
  });
});
