import { NOTIFICATIONS } from '../../src/api/notifications/route';
import { sign } from '../../src/gateway/acquirer/signature';
import { send as submit, testPayers, typed } from '../harness/browser/payers';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../harness/servers/api';
import { secrets } from '../harness/world/secrets';

const api = testApi({ ownServer: true });
const shop = merchantCalls(api);
const { newPayment } = testPayers(api);
let id: string;
beforeAll(async () => {
  id = await shop.newCharge(await shop.newCard());
});
const send = (notification: unknown, signature?: string, origin = api.origin()) => {
  const body = typeof notification === 'string' ? notification : JSON.stringify(notification);
  const headers = { signature: signature ?? sign(secrets.ACQUIRER_KEY, body) };
  return sendRequest(`${origin}${NOTIFICATIONS}`, 'POST', { body, headers });
};

describe('POST /notifications/acquirer', () => {
  it('fails with 1002 without a signature, or if the signature is for another key, another body or a distant time', async () => {
    const body = JSON.stringify({ type: 'chargeback', key: id, outcome: 'open' });
    const wrongSignatures = [
      '',
      'x',
      sign('y'.repeat(40), body),
      sign(secrets.ACQUIRER_KEY, '{}'),
      sign(secrets.ACQUIRER_KEY, body, Date.now() - 301_000),
      sign(secrets.ACQUIRER_KEY, body, Date.now() + 3_600_000),
    ];
    for (const signature of wrongSignatures) expect(errorOf(await send(body, signature))).toBe(1002);
    expect((await api.rest('GET', `/charges/${id}`)).body.status).toBe('completed');
  });

  it('fails with 1001 for an unknown notification, and 1005 for a charge that is unknown or of the other environment', async () => {
    for (const body of ['', '{', 'null', '[]', { type: 'x' }, { type: 'chargeback', key: id, outcome: 'constructor' }])
      expect(errorOf(await send(body))).toBe(1001);
    const valid = { type: 'chargeback', key: id, outcome: 'open' };
    expect(errorOf(await send({ ...valid, key: 't0000000000000000000' }))).toBe(1005);
    expect(errorOf(await send(valid, undefined, await api.startProduction()))).toBe(1005);
  });

  it('identifies a charge by its ID or by the key of its order at the acquirer', async () => {
    const { id: paid, url } = await newPayment();
    await submit(url, { ...typed, attempt: '0' });
    const named = (key: string) => send({ type: 'chargeback', key, outcome: 'open' });
    expect(errorOf(await named(`${paid}-pay-2`))).toBe(1005);
    expect(errorOf(await named(`${paid}-`))).toBe(1005);
    expect((await named(`${paid}-pay-1`)).status).toBe(204);
    expect((await api.rest('GET', `/charges/${paid}`)).body.status).toBe('chargeback_pending');
  });

  it('moves the money once when the same notification arrives fifty times concurrently', async () => {
    const balanceBefore = await shop.merchantBalance();
    // Retries after a 503, as the acquirer does: the API waits only two seconds for a database connection.
    const sendUntilTaken = async (): Promise<ApiResponse> => {
      const answer = await send({ type: 'chargeback', key: id, outcome: 'open' });
      return answer.status === 503 ? sendUntilTaken() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 50 }, sendUntilTaken));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await shop.merchantBalance()).toBe(balanceBefore - 100000);
    expect(await api.database.db().event.count({ where: { object_id: id, type: 'chargeback.created' } })).toBe(1);
  });
});
