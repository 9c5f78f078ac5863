import { ApiError } from '../../platform/errors';
import { parseJson } from '../json';

type RequestBody = Record<string, unknown>;

const isObject = (value: unknown): value is RequestBody => typeof value === 'object' && !Array.isArray(value);

/** The body, or why it cannot be read, which the caller may only learn once it is authenticated. */
export function readBody(bytes: unknown): { body?: RequestBody; problem?: unknown } {
  try {
    const body = parseJson(bytes instanceof Uint8Array ? bytes : new Uint8Array());
    if (body !== null && isObject(body)) return { body };
    return { problem: new ApiError('malformed', 'The body is not a JSON object') };
  } catch (problem) {
    return { problem };
  }
}

export function readRequest({ query, variables, operationName }: RequestBody) {
  if (typeof query !== 'string')
    throw new ApiError('malformed', { field: 'query', problem: 'is required and must be a text' });
  if (variables !== undefined && !isObject(variables))
    throw new ApiError('malformed', { field: 'variables', problem: 'is not an object' });
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw new ApiError('malformed', { field: 'operationName', problem: 'is not a text' });
  return { query, variables: variables ?? {}, ...(operationName ? { operationName } : {}) };
}
