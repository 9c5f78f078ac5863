/** PUT /webhooks/{id}: a new URL must be verified, and receives no other deliveries before. */
import { Client } from 'pg';
import { markVerified } from '../../../src/notifications/webhooks/rows';
import { until } from '../../harness/flow/until';
import { errorOf, sendRequest } from '../../harness/servers/api';
import { testWebhooks } from '../../harness/webhooks/webhooks';

const { api, post, receiver, read, newHook, typesAt, deliveries, pay } = testWebhooks();
const put = (id: string, body: object) => api.rest('PUT', `/webhooks/${id}`, { body });
const verified = (id: string) => until(async () => (await read(id)).status === 'verified');

describe('PUT /webhooks/{id}', () => {
  it('changes only the fields that are sent; with the same URL the webhook stays verified', async () => {
    const { id, path } = await newHook({ user: 'me', password: 'secreto', event_types: ['charge.failed'] });
    const before = await read(id);
    expect(await put(id, { ...before, status: 'disabled' })).toMatchObject({ status: 200, body: before });
    const changed = await put(id, { user: 'you', event_types: ['charge.succeeded'] });
    expect(changed.body).toEqual({ ...before, user: 'you', event_types: ['charge.succeeded'] });
    await pay();
    await until(() => typesAt(path).includes('charge.succeeded'));
    const authorization = `Basic ${Buffer.from('you:secreto').toString('base64')}`;
    expect(receiver.at(path).at(-1)?.headers).toMatchObject({ authorization });
    expect((await put(id, { user: '', password: '', event_types: [] })).body).toEqual({
      ...before,
      user: null,
      event_types: [],
    });
    await post(`/webhooks/${id}/test`, {});
    await until(() => typesAt(path).includes('test'));
    expect(receiver.at(path).at(-1)?.headers).not.toHaveProperty('authorization');
    expect(typesAt(path).filter(type => type === 'verification')).toHaveLength(1);
  });

  it('sends a new URL only its verification, with a new code, until it is verified', async () => {
    const { id, path } = await newHook();
    receiver.answers(({ path: at }) => (at === '/moved' ? 500 : 200));
    expect((await put(id, { url: receiver.url('/moved') })).body).toMatchObject({
      id,
      status: 'unverified',
      url: receiver.url('/moved'),
    });
    await pay();
    await until(() => receiver.at('/moved').length > 0);
    const [old] = receiver.at(path);
    const [fresh] = receiver.at('/moved');
    expect(errorOf(await post(`/webhooks/${id}/verify/${old?.body.verification_code}`, {}))).toBe(1003);
    receiver.releaseAll();
    expect((await post(`/webhooks/${id}/verify/${fresh?.body.verification_code}`, {})).status).toBe(204);
    const charge = await pay();
    await until(() => typesAt('/moved').includes('charge.succeeded'));
    const charged = receiver.at('/moved').filter(({ body }) => body.type === 'charge.succeeded');
    expect(charged.map(({ body }) => body.transaction.id)).toEqual([charge]);
  });

  it('does not verify the new URL by a response of the old URL', async () => {
    receiver.answers(({ path }) => (path === '/slow' ? 0 : 500));
    const { id } = (await post('/webhooks', { url: receiver.url('/slow') })).body;
    await until(() => receiver.open('/slow').length > 0);
    expect((await put(id, { url: receiver.url('/refusing') })).status).toBe(200);
    receiver.release(receiver.open('/slow'), 200);
    await until(async () => (await deliveries(id)).some(({ status }: { status: string }) => status === 'retrying'));
    expect((await read(id)).status).toBe('unverified');
    receiver.releaseAll();
    await put(id, { url: receiver.url('/good') });
    await verified(id);
  });

  it('does not send deliveries that wait for the old URL to the new URL', async () => {
    const { id, path } = await newHook();
    receiver.answers(({ path: at }) => (at === path ? 0 : 500));
    const held = await Promise.all(Array.from({ length: 20 }, () => pay()));
    await until(() => receiver.open(path).length > 0);
    await put(id, { url: receiver.url('/after') });
    await until(() => receiver.at('/after').length > 0);
    expect((await deliveries(id, '?status=failed&limit=1000')).length).toBeGreaterThanOrEqual(9);
    receiver.releaseAll();
    const [fresh] = receiver.at('/after');
    await post(`/webhooks/${id}/verify/${fresh?.body.verification_code}`, {});
    const last = await pay();
    await until(() => typesAt('/after').includes('charge.succeeded'));
    const sent = receiver.at('/after').flatMap(each => each.body.transaction?.id ?? []);
    expect(sent).toEqual([last]);
    expect(held).not.toContain(last);
  });

  it("refuses redelivery of the old URL's events to an unverified new URL, but redelivers its verification", async () => {
    const { id } = await newHook();
    await pay();
    await until(async () =>
      (await deliveries(id)).some((each: { event_type: string }) => each.event_type === 'charge.succeeded'),
    );
    const [{ id: paid }] = await deliveries(id);
    receiver.answers(({ path }) => (path === '/unproved' ? 500 : 200));
    await put(id, { url: receiver.url('/unproved') });
    expect(errorOf(await post(`/webhooks/${id}/deliveries/${paid}/redeliver`, {}))).toBe(3006);
    expect(errorOf(await post(`/webhooks/${id}/test`, {}))).toBe(3006);
    const [{ id: verification, event_type }] = await deliveries(id);
    expect(event_type).toBe('verification');
    expect((await post(`/webhooks/${id}/deliveries/${verification}/redeliver`, {})).status).toBe(200);
    await until(() => typesAt('/unproved').length > 1);
    expect(new Set(typesAt('/unproved'))).toEqual(new Set(['verification']));
    receiver.releaseAll();
  });

  it('does not verify the new URL with the code of the old URL', async () => {
    receiver.answers(() => 500);
    const { id } = (await post('/webhooks', { url: receiver.url('/first') })).body;
    const { verification_code } = await api.database.db().webhook.findUniqueOrThrow({ where: { id } });
    expect((await put(id, { url: receiver.url('/second') })).status).toBe(200);
    expect(await markVerified(api.database.db(), id, verification_code)).toBe(false);
    expect((await read(id)).status).toBe('unverified');
    receiver.releaseAll();
  });

  it('waits for an attempt at the old URL that is being recorded', async () => {
    receiver.answers(() => 0);
    const { id } = (await post('/webhooks', { url: receiver.url('/recorded') })).body;
    await until(() => receiver.open('/recorded').length > 0);
    const recorder = new Client(api.database.url());
    await recorder.connect();
    await recorder.query('begin');
    await recorder.query('update deliveries set attempts = attempts where webhook_id = $1', [id]);
    const changing = put(id, { url: receiver.url('/unrecorded') });
    await until(async () => {
      const [waiting] = await api.database.db().$queryRaw<{ count: number }[]>`
        select count(*)::integer from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like '%delivery_queue%' and pid <> pg_backend_pid()`;
      return waiting?.count === 1;
    });
    await recorder.query('delete from delivery_queue where webhook_id = $1', [id]);
    await recorder.query('commit');
    await recorder.end();
    expect((await changing).status).toBe(200);
    receiver.releaseAll();
  });

  it('ten concurrent changes all succeed, and the last of them is final', async () => {
    receiver.answers(() => 500);
    const { id } = (await post('/webhooks', { url: receiver.url('/zero') })).body;
    const urls = Array.from({ length: 10 }, (_, i) => receiver.url(`/at-once-${i}`));
    const answers = await Promise.all(urls.map(url => put(id, { url })));
    expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 200));
    const { url, status } = await read(id);
    expect([urls.includes(url), status]).toEqual([true, 'unverified']);
    expect(await api.database.db().delivery.count({ where: { webhook_id: id } })).toBe(1);
    receiver.releaseAll();
  });

  it('fails the deliveries of a long queue in small batches', async () => {
    const { id } = await newHook();
    const event = await api.database.db().event.findFirstOrThrow({ where: { object_id: id } });
    await api.database.db().webhook.update({ where: { id }, data: { status: 'disabled' } });
    await api.database.db().$executeRaw`
      insert into deliveries (id, webhook_id, event_id) select new_delivery_id(), ${id}, ${event.id} from generate_series(1, 2500)`;
    const largest = jest.spyOn(Client.prototype, 'query');
    expect((await put(id, { url: receiver.url('/elsewhere') })).status).toBe(200);
    const emptied = largest.mock.calls.filter(call =>
      JSON.stringify(call).includes('delete from delivery_queue'),
    ).length;
    largest.mockRestore();
    expect(emptied).toBe(5);
    await verified(id);
    expect(await api.database.db().delivery.count({ where: { webhook_id: id, status: 'pending' } })).toBe(0);
  });

  it('verifies a disabled webhook again at a new URL', async () => {
    const { id } = await newHook();
    await api.database.db().webhook.update({ where: { id }, data: { status: 'disabled' } });
    expect((await put(id, { event_types: [] })).body.status).toBe('disabled');
    expect((await put(id, { url: receiver.url('/again') })).body.status).toBe('unverified');
    await verified(id);
  });

  it.each([
    ['1003 for another scheme', { url: 'ftp://shop.example/' }, 1003],
    ['1001 for an empty address', { url: '' }, 1001],
    ['1003 for an unknown event type', { event_types: ['charge.exploded'] }, 1003],
    ['1003 for a user with a colon', { user: 'me:you' }, 1003],
    ['1001 for a number as password', { password: 7.5 }, 1001],
  ])('fails with %s, and changes nothing', async (_, body, code) => {
    const { id } = (await post('/webhooks', { url: receiver.url('/same') })).body;
    await verified(id);
    const before = await read(id);
    expect(errorOf(await put(id, body))).toBe(code);
    expect(await read(id)).toEqual(before);
  });

  it('fails with 1005 for another merchant, over REST and GraphQL; GraphQL makes the same changes as REST', async () => {
    const { id } = await newHook();
    const { other } = api.merchants();
    const body = { url: receiver.url('/stolen') };
    const url = `${api.origin()}/v1/${other.id}/webhooks/${id}`;
    const stolen = await sendRequest(url, 'PUT', { key: other.private_key, body });
    expect([stolen.status, errorOf(stolen)]).toEqual([404, 1005]);
    const change =
      'mutation ($id: ID!, $w: UpdateWebhook!) { updateWebhook(webhook_id: $id, webhook: $w) { url status } }';
    expect(errorOf(await api.graphql(change, { id, w: body }, { key: other.private_key }))).toBe(1005);
    expect((await api.graphql(change, { id, w: { user: 'me' } })).body.data.updateWebhook.status).toBe('verified');
    expect((await api.graphql(change, { id, w: body })).body.data.updateWebhook).toEqual({
      url: receiver.url('/stolen'),
      status: 'unverified',
    });
  });
});
