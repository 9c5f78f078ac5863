/** Calls the API with a session, and gets a new one from our server when it has ended. */
import type { TadaDocumentNode } from 'gql.tada';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';

interface Session {
  url: string;
  token: string;
}

let session: Promise<Session> | undefined;

function currentSession(): Promise<Session> {
  session ??= fetch('/session', { method: 'POST' }).then(answer => {
    if (!answer.ok) throw new Error(`No session: ${answer.status}`);
    return answer.json() as Promise<Session>;
  });
  session.catch(renewSession);
  return session;
}
const renewSession = (): void => {
  session = undefined;
};

const bearer = ({ token }: Session) => ({ authorization: `Bearer ${token}` });

export async function request<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables,
  isSecondTry = false,
): Promise<Result> {
  const current = await currentSession();
  const body = JSON.stringify({ query: print(document), variables });
  const answer = await fetch(`${current.url}/graphql`, { method: 'POST', headers: bearer(current), body });
  if (answer.status === 401 && !isSecondTry) {
    renewSession();
    return request(document, variables, true);
  }
  const { data, errors } = (await answer.json()) as { data?: Result; errors?: { message: string }[] };
  if (errors?.[0] || !data) throw new Error(errors?.[0]?.message ?? `${answer.status}`);
  return data;
}

/** Reconnects after network errors and with a new session, until the page is closed. */
export async function follow<Result>(
  document: TadaDocumentNode<Result, Record<string, never>>,
  on: { connected: () => void; disconnected: () => void; result: (result: Result) => void },
): Promise<never> {
  for (let pauseMs = 0; ; pauseMs = Math.min(30_000, pauseMs * 2 + 1000)) {
    await new Promise(resolve => setTimeout(resolve, pauseMs));
    const current = await currentSession().catch(() => undefined);
    if (!current) continue;
    const client = createClient({
      url: `${current.url}/graphql/stream`,
      headers: bearer(current),
      retryAttempts: 0,
      on: {
        connected: () => {
          pauseMs = 0;
          on.connected();
        },
      },
    });
    const results = client.iterate<Result>({ query: print(document) });
    try {
      for await (const { data } of results) if (data) on.result(data);
    } catch {
      renewSession();
    }
    client.dispose();
    on.disconnected();
  }
}
