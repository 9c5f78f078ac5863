/** Requests to the GraphQL API. The session is in an HttpOnly cookie. */
import { signal } from '@preact/signals';
import { describeProblem, isProblemCode, type ProblemParameters } from '../../../src/platform/problems/catalogue';
import { language } from '../language';
import { type Operation, textOf } from './graphql';

/** An error of the API, with a localized message. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly code?: number,
    readonly request_id?: string,
    readonly field?: string,
    /** Messages by field path. */
    readonly fields: ReadonlyMap<string, string> = new Map(),
    /** The stable code of the cause, such as `private_key_again`. */
    readonly cause_code?: string,
  ) {
    super(message);
  }
}

export interface SentQuery {
  id: number;
  /** The path of the screen that sent it. */
  path: string;
  query: string;
  variables: unknown;
  ms: number;
  problem?: string;
}

const MAX_SENT_QUERIES = 50;
let lastId = 0;
/** The latest operations, newest first, for the developer tools. */
export const sentQueries = signal<SentQuery[]>([]);
/** True when the session ended while the page was open. */
export const isSignedOut = signal(false);
export const isOnline = signal(true);
/** Counts reconnections; every loaded screen reloads on a change. */
export const reconnections = signal(0);

export function markReconnected(): void {
  isOnline.value = true;
  reconnections.value++;
}

export interface AskOptions {
  signal?: AbortSignal;
  /** The idempotency key. */
  key?: string;
  /** Selects the session of the operator page instead of a merchant's. */
  session?: 'operator';
  /** Root fields that may fail without failing the operation; they are null then. */
  optionalFields?: readonly string[];
}

interface Refusal {
  problem?: string;
  parameters?: ProblemParameters;
  /** Path of the wrong member. */
  field?: string;
}

interface ErrorDetails extends Refusal {
  error_code?: number;
  request_id?: string;
  fields?: (Refusal & { field: string; description: string })[];
}

interface Answer<Result> {
  data?: Result | null;
  errors?: { message: string; path?: (string | number)[]; extensions?: ErrorDetails }[];
  /** Present if the request failed before GraphQL executed it. */
  error_code?: number;
  description?: string;
  request_id?: string;
}

export async function ask<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  { optionalFields = [], ...options }: AskOptions = {},
): Promise<Result> {
  const query = textOf(operation);
  const started = performance.now();
  const answer = await send<Result>(query, variables, options);
  const problem = problemOf(answer, variables, optionalFields);
  const ms = Math.round(performance.now() - started);
  const entry: SentQuery = {
    id: ++lastId,
    path: location.pathname,
    query,
    variables,
    ms,
    ...(problem && { problem: problem.message }),
  };
  // A repeated operation is listed once.
  const others = sentQueries.value.filter(other => !isSame(other, entry));
  sentQueries.value = [entry, ...others].slice(0, MAX_SENT_QUERIES);
  if (problem) throw problem;
  return answer.data as Result;
}

const isSame = (a: SentQuery, b: SentQuery): boolean =>
  a.path === b.path && a.query === b.query && JSON.stringify(a.variables) === JSON.stringify(b.variables);

async function send<Result>(
  query: string,
  variables: unknown,
  { signal: stop, key, session }: AskOptions,
): Promise<Answer<Result>> {
  const headers = {
    'content-type': 'application/json',
    'accept-language': language,
    ...(key && { 'idempotency-key': key }),
    ...(session && { authorization: `Session ${session}` }),
  };
  const body = JSON.stringify({ query, variables });
  const url = session ? '/operator/graphql' : '/graphql';
  const response = await fetch(url, { method: 'POST', headers, body, ...(stop && { signal: stop }) }).catch(error => {
    if (!stop?.aborted) isOnline.value = false;
    throw error;
  });
  isOnline.value = true;
  if (response.status === 401) isSignedOut.value = true;
  return response.json() as Promise<Answer<Result>>;
}

/** The API names a field with its variable, `plan.amount`; forms name it without, `amount`. */
function partOf(field: string, variables: unknown): string {
  const [variable = '', ...part] = field.split('.');
  const value = (variables as Record<string, unknown>)[variable];
  return part.length > 0 && typeof value === 'object' ? part.join('.') : field;
}

/** A server that was updated meanwhile can answer a problem that this page does not know. */
const describeError = ({ problem = '', parameters, field }: Refusal, message: string): string =>
  isProblemCode(problem)
    ? describeProblem(problem, { ...parameters, ...(field !== undefined && { field }) }, language)
    : message;

function problemOf(
  { data, errors = [], description, error_code, request_id }: Answer<unknown>,
  variables: unknown,
  optionalFields: readonly string[],
): Problem | undefined {
  const error = errors.find(({ path = [] }) => !optionalFields.includes(String(path[0])));
  if (error) {
    const { error_code, request_id, field, fields = [], ...first } = error.extensions ?? {};
    const byField = new Map(
      fields.map(({ field, description, ...refusal }) => {
        const part = partOf(field, variables);
        return [part, describeError({ ...refusal, field: part }, description)];
      }),
    );
    const part = field === undefined ? undefined : partOf(field, variables);
    const message = describeError({ ...first, ...(part !== undefined && { field: part }) }, error.message);
    return new Problem(message, error_code, request_id, part, byField, first.problem);
  }
  if (!data) return new Problem(description ?? '', error_code, request_id);
  return undefined;
}
