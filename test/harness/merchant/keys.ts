/** Calls for tests of a merchant's own API keys. */
import { hashKey } from '../../../src/accounts/merchants/keys';
import { until } from '../flow/until';
import { type ApiResponse, errorOf, type testApi } from '../servers/api';

export const refusal = (answer: ApiResponse) => [answer.status, errorOf(answer)];

export function testKeys(api: ReturnType<typeof testApi>) {
  const db = () => api.database.db();
  const createKey = (body: object = {}, headers = {}) =>
    api.rest('POST', '/keys', { body: { kind: 'private', ...body }, headers });
  /** Sends a request with this key. */
  const read = (key: string) => api.rest('GET', '/customers', { key });
  return {
    createKey,
    newKey: async (body: object = {}): Promise<{ id: string; key: string }> => (await createKey(body)).body,
    read,
    works: (key: string) => until(async () => (await read(key)).status === 200),
    isRefused: (key: string) =>
      until(async () => {
        const answer = await read(key);
        return answer.status === 401 && errorOf(answer) === 1002;
      }),
    auditOf: (object_id: string) => db().auditEntry.findMany({ where: { object_id }, orderBy: { id: 'asc' } }),
    /** The key that the requests use. */
    ownKeyId: async () => {
      const { private_key } = api.merchants().own;
      return (await db().apiKey.findUniqueOrThrow({ where: { hash: hashKey(private_key, api.secret) } })).id;
    },
  };
}
