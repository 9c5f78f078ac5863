/** Calls operations of the OpenAPI document, checks each response against it, and records calls and values. */
import type { ApiResponse, testApi } from '../servers/api';
import type { Contract } from './contract';

export function documentedCalls(api: ReturnType<typeof testApi>, contract: Contract) {
  const done = new Set<string>();
  /** All values of each field in all responses. */
  const seen = new Map<string, Set<unknown>>();

  function note(value: unknown): void {
    for (const [name, member] of Object.entries(value ?? {})) {
      if (typeof member === 'object') note(member);
      else seen.set(name, (seen.get(name) ?? new Set()).add(member));
    }
  }

  /** Calls an operation such as `POST /customers/{customer_id}/cards` with the values of its path parameters, in order. */
  async function does(row: string, ids: string[] = [], body?: object, query = ''): Promise<ApiResponse> {
    const [method = '', template = ''] = row.split(' ');
    const documented = contract.operations().find(each => each.method === method && `${each.path || '/'}` === template);
    if (!documented) throw new Error(`The document has no ${row}`);
    const rest = [...ids];
    const path = template === '/' ? '' : template.replace(/\{\w+\}/g, () => rest.shift() ?? '');
    const answer = await api.rest(method, path + query, body ? { body } : {});
    expect([row, answer.status < 300 ? '' : answer.text, contract.complaints(documented, answer)]).toEqual([
      row,
      '',
      [],
    ]);
    note(answer.body);
    done.add(row);
    return answer;
  }
  const created = async (...asked: Parameters<typeof does>): Promise<string> => (await does(...asked)).body.id;
  return {
    does,
    created,
    seen,
    /** Operations of the document that were not called. */
    undone: (): string[] => {
      const rows = contract.operations().map(({ method, path }) => `${method} ${path || '/'}`);
      return rows.filter(row => !done.has(row));
    },
    /** Documented values of a field that no response contained. */
    unseen: (schema: string, name: string): string[] => {
      const said: string[] = contract.document.components.schemas[schema].properties[name].enum;
      return said.filter(word => !seen.get(name)?.has(word));
    },
  };
}
