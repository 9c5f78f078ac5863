import { visa } from '../../harness/cards/testCards';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { post, charge, payer } = shop;
let card: string;
beforeAll(async () => {
  card = await shop.newCard();
});

describe('order_id', () => {
  it('is used by one of a hundred concurrent charges with one acquirer call; the remaining ones fail with 1006', async () => {
    const before = api.acquirer.journal().length;
    const request = { ...charge, source_id: card, customer: payer, order_id: 'hundred' };
    const answers = await Promise.all(Array.from({ length: 100 }, () => post('/charges', request)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 1006)).toHaveLength(99);
    expect(api.acquirer.journal().length).toBe(before + 1);
  });

  it('can also be used by another merchant', async () => {
    const { other } = api.merchants();
    const base = `${api.origin()}/v1/${other.id}`;
    const send = (path: string, body: object) =>
      sendRequest(`${base}${path}`, 'POST', { key: other.private_key, body });
    const source_id = (await send('/cards', visa)).body.id;
    expect((await send('/charges', { ...charge, source_id, customer: payer, order_id: 'hundred' })).status).toBe(200);
  });
});
