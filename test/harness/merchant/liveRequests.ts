/** Requests of merchants to go live, the decisions of operators, and their effects. */
import type { testApi } from '../servers/api';
import { REQUEST, testOperators } from './operators';

export const UPDATE = `mutation ($request: BusinessInput!) { updateLiveRequest(request: $request) ${REQUEST} }`;
export const COLLECT = 'mutation { collectLiveKeys { merchant_id private_key public_key } }';

export function testLiveRequests(api: ReturnType<typeof testApi>) {
  const operators = testOperators(api);
  const { operate, newMerchant, requestLive } = operators;
  const db = () => api.database.db();
  return {
    ...operators,
    approve: (id: string, headers = {}) =>
      operate('admin', `mutation { approveLiveRequest(id: "${id}") ${REQUEST} }`, {}, headers),
    decide: (how: 'return' | 'refuse', id: string, reason = 'Which bank?') =>
      operate('support', `mutation ($reason: String!) { ${how}LiveRequest(id: "${id}", reason: $reason) ${REQUEST} }`, {
        reason,
      }),
    /** A merchant whose request is submitted. */
    newRequest: async () => {
      const merchant = await newMerchant();
      const request = (await requestLive(merchant.private_key)).body.data.requestLive;
      return { ...merchant, request };
    },
    actionsOf: async (merchant_id: string) =>
      (await db().auditEntry.findMany({ where: { merchant_id }, orderBy: { id: 'asc' } })).map(({ action }) => action),
    outboxOf: async (object_id: string) =>
      (await db().outbox.findMany({ where: { object_id }, orderBy: { id: 'asc' } })).map(({ kind }) => kind),
  };
}
