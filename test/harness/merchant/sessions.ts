/** Sessions of the sandbox merchant, as its server creates them and a browser uses them. */
import type { ApiResponse, RequestOptions, testApi } from '../servers/api';
import { sendRequest } from '../servers/api';

export const PAGE = 'https://panel.tienda.example';

export interface TestSession {
  id: string;
  token: string;
}

export const bearer = (token: string, origin: string | undefined = PAGE): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(origin && { origin }),
});

export function testSessions(api: ReturnType<typeof testApi>) {
  const create = (session: object = {}, options: RequestOptions = {}): Promise<ApiResponse> =>
    api.rest('POST', '/sessions', { body: { origins: [PAGE], ...session }, ...options });
  const newSession = async (session: object = {}): Promise<TestSession> => (await create(session)).body;
  /** Sends a request like a page. */
  const queryGraphql = (token: string, query: string, variables: object = {}, origin: string | undefined = PAGE) =>
    sendRequest(`${api.origin()}/graphql`, 'POST', { headers: bearer(token, origin), body: { query, variables } });
  return { create, newSession, queryGraphql };
}
