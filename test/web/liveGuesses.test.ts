/** Guesses of the page key of a request to go live, or of the private key on it, are limited like wrong API keys. */
import { send } from '../harness/browser/payers';
import { testOperators } from '../harness/merchant/operators';
import { testApi } from '../harness/servers/api';

const api = testApi({ limits: { LIMIT_WRONG_KEYS_PER_MINUTE: 5 } });
const { operate, newMerchant, requestLive } = testOperators(api);

it('the page fails with 429 after several guesses of either; a valid key is never refused', async () => {
  const merchant = await newMerchant();
  const { id, url } = (await requestLive(merchant.private_key)).body.data.requestLive;
  await operate('admin', `mutation { approveLiveRequest(id: "${id}") { id } }`);
  const headers = { origin: api.origin() };
  const guess = (private_key: string) => send(`${url}/keys`, { private_key }, headers);
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await fetch(`${api.origin()}/live/y${'0'.repeat(19)}`)).status);
  for (let i = 0; i < 3; i++) statuses.push((await guess(`sk_${String(i).repeat(32)}`)).status);
  expect(statuses).toEqual([404, 404, 404, 422, 422, 429]);
  expect((await fetch(`${api.origin()}/live/y${'0'.repeat(19)}`)).status).toBe(429);
  expect((await fetch(url)).status).toBe(200);
  expect((await guess(merchant.private_key)).status).toBe(200);
});
