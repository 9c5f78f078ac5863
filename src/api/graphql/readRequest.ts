import { type DocumentNode, getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import { ApiError } from '../../platform/errors';
import { parseJson } from '../json';
import { MAX_TOKENS } from './documentSize';

type RequestBody = Record<string, unknown>;

export interface GraphqlInput {
  /** Absent if the body is invalid, which only authenticated callers may learn. */
  body?: RequestBody;
  problem?: unknown;
  /** Absent if the document cannot be parsed. */
  document?: DocumentNode;
  /** The selected operation; absent if the document has no such operation, or several without a selection. */
  operation?: OperationDefinitionNode | null | undefined;
}

const isObject = (value: unknown): value is RequestBody => typeof value === 'object' && !Array.isArray(value);

/** True if the document certainly has no mutation: it contains neither the word nor an escape that may stand for it. */
export const cannotWrite = (bytes: unknown): boolean =>
  bytes instanceof Uint8Array &&
  ['mutation', '\\u'].every(word => !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(word));

export function readInput(bytes: unknown): GraphqlInput {
  try {
    const body = parseJson(bytes instanceof Uint8Array ? bytes : new Uint8Array());
    if (body !== null && isObject(body)) return { body, ...parseDocument(body) };
    return { problem: new ApiError('malformed', 'body_not_object') };
  } catch (problem) {
    return { problem };
  }
}

/** Clients repeat the same documents. */
const documents = new Map<string, DocumentNode>();
const MAX_CACHED_DOCUMENTS = 100;
const MAX_CACHED_LENGTH = 5000;

/** Apollo parses an invalid document again and reports the error. */
function parseDocument({ query, operationName }: RequestBody): Pick<GraphqlInput, 'document' | 'operation'> {
  if (typeof query !== 'string') return {};
  try {
    const document = documents.get(query) ?? parse(query, { maxTokens: MAX_TOKENS });
    if (documents.size >= MAX_CACHED_DOCUMENTS) documents.clear();
    if (query.length <= MAX_CACHED_LENGTH) documents.set(query, document);
    return { document, operation: getOperationAST(document, operationName ? String(operationName) : undefined) };
  } catch {
    return {};
  }
}

export function readRequest({ query, variables, operationName }: RequestBody) {
  if (typeof query !== 'string') throw new ApiError('malformed', 'required_text', { field: 'query' });
  if (variables !== undefined && !isObject(variables))
    throw new ApiError('malformed', 'not_object', { field: 'variables' });
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw new ApiError('malformed', 'not_text', { field: 'operationName' });
  return { query, variables: variables ?? {}, ...(operationName ? { operationName } : {}) };
}
