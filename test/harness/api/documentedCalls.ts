/** Calls operations of the OpenAPI document, checks each response against it, and records calls and values. */
import type { ApiResponse, testApi } from '../servers/api';
import type { Contract } from './contract';

export function documentedCalls(api: ReturnType<typeof testApi>, contract: Contract) {
  const called = new Set<string>();
  /** All values of each field in all responses. */
  const seenValues = new Map<string, Set<unknown>>();

  function recordValues(value: unknown): void {
    for (const [name, member] of Object.entries(value ?? {})) {
      if (typeof member === 'object') recordValues(member);
      else seenValues.set(name, (seenValues.get(name) ?? new Set()).add(member));
    }
  }

  /** Calls an operation such as `POST /customers/{customer_id}/cards` with the values of its path parameters, in order. */
  async function call(name: string, ids: string[] = [], body?: object, query = ''): Promise<ApiResponse> {
    const [method = '', template = ''] = name.split(' ');
    const documented = contract.operations().find(each => each.method === method && `${each.path || '/'}` === template);
    if (!documented) throw new Error(`The document has no ${name}`);
    const rest = [...ids];
    const path = template === '/' ? '' : template.replace(/\{\w+\}/g, () => rest.shift() ?? '');
    const answer = await api.rest(method, path + query, body ? { body } : {});
    expect([name, answer.status < 300 ? '' : answer.text, contract.differences(documented, answer)]).toEqual([
      name,
      '',
      [],
    ]);
    recordValues(answer.body);
    called.add(name);
    return answer;
  }
  const create = async (...args: Parameters<typeof call>): Promise<string> => (await call(...args)).body.id;
  return {
    call,
    create,
    seenValues,
    /** Operations of the document that were not called. */
    uncalledOperations: (): string[] => {
      const names = contract.operations().map(({ method, path }) => `${method} ${path || '/'}`);
      return names.filter(name => !called.has(name));
    },
    /** Documented values of a field that no response contained. */
    unseenValues: (schema: string, name: string): string[] => {
      const documented: string[] = contract.document.components.schemas[schema].properties[name].enum;
      return documented.filter(value => !seenValues.get(name)?.has(value));
    },
  };
}
