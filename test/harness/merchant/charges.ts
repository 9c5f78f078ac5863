/** A merchant with a saved card and a balance that pays costs and refunds. */
import type { ApiResponse } from '../servers/api';
import { testApi } from '../servers/api';
import { merchantCalls } from './merchantCalls';

export function testCharges(options: Parameters<typeof testApi>[0] = {}) {
  const api = testApi(options);
  const shop = merchantCalls(api);
  let card = '';
  const pay = (overrides: object = {}, headers = {}): Promise<ApiResponse> =>
    shop.post('/charges', { ...shop.charge, source_id: card, customer: shop.payer, ...overrides }, headers);
  beforeAll(async () => {
    card = await shop.newCard();
    await pay({ amount: 10_000_000 });
  });
  return {
    api,
    shop,
    db: () => api.database.db(),
    /** Charges the saved card. */
    pay,
    newCharge: async (overrides: object = {}): Promise<string> => (await pay(overrides)).body.id,
    refund: (id: string, body: object = {}, headers = {}) => shop.post(`/charges/${id}/refund`, body, headers),
    /** Sets the outcomes of the next charges of the saved card. */
    script: (...outcomes: (string | number)[]) => shop.script(card, ...outcomes),
  };
}
