/** Charges under a rule that exists during one test. */
import type { ApiResponse, testApi } from '../servers/api';
import { merchantCalls } from './merchantCalls';

export const MONTH = 43_200;
export const DECLINES = '4000000000000341';
export const REFUSED = [402, 3005, ['the_rule']];

export const refusedBy = ({ status, body }: ApiResponse): [number, number, string[]] => [
  status,
  body.error_code,
  body.fraud_rules,
];

export function testFraudRules(api: ReturnType<typeof testApi>) {
  const shop = merchantCalls(api);
  return {
    shop,
    charge: (source_id: string, more: object = {}): Promise<ApiResponse> =>
      shop.post('/charges', { ...shop.charge, source_id, customer: shop.payer, ...more }),
    withRule: async (rule: object, work: (name: string) => Promise<void>): Promise<void> => {
      const { body, status } = await shop.post('/fraud_rules', { name: 'the_rule', ...rule });
      expect([status, body.error_code]).toEqual([201, undefined]);
      try {
        await work('the_rule');
      } finally {
        expect((await api.rest('DELETE', `/fraud_rules/${body.id}`)).status).toBe(204);
      }
    },
  };
}
