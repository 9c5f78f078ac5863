/** Asks the API. Who is asking is in a cookie that no script can read. */
import { signal } from '@preact/signals';
import { describeProblem, isProblemCode, type ProblemParameters } from '../../../src/platform/problems/catalogue';
import { language } from '../language';
import { type Operation, textOf } from './graphql';

/** What the API refused, with the sentence to show. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly code?: number,
    readonly request_id?: string,
    readonly field?: string,
    /** Of each field, by its path, what is wrong with it. */
    readonly fields: ReadonlyMap<string, string> = new Map(),
  ) {
    super(message);
  }
}

export interface Asked {
  id: number;
  /** The screen that asked. */
  path: string;
  query: string;
  variables: unknown;
  ms: number;
  /** Absent where it has worked. */
  problem?: string;
}

const MAX_ASKED = 50;
let lastId = 0;
/** The latest operations, the newest first: the developer drawer shows them. */
export const asked = signal<Asked[]>([]);
/** Whether the session has ended while the page was open. */
export const isSignedOut = signal(false);
/** Whether the last request reached the server. */
export const isOnline = signal(true);
/** Counts how often it became possible again to ask: whatever is shown is asked for anew then. */
export const comebacks = signal(0);

export function isBack(): void {
  isOnline.value = true;
  comebacks.value++;
}

export interface AskOptions {
  signal?: AbortSignal;
  /** Makes a repetition the same request. */
  key?: string;
  /** Selects the session of the operator page instead of a merchant's. */
  session?: 'operator';
  /** Root fields without which the answer is good all the same: they are null then. */
  mayLack?: readonly string[];
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
  /** Of an answer that is not GraphQL's. */
  error_code?: number;
  description?: string;
  request_id?: string;
}

export async function ask<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  { mayLack = [], ...options }: AskOptions = {},
): Promise<Result> {
  const query = textOf(operation);
  const started = performance.now();
  const answer = await send<Result>(query, variables, options);
  const problem = problemOf(answer, variables, mayLack);
  const ms = Math.round(performance.now() - started);
  const entry: Asked = {
    id: ++lastId,
    path: location.pathname,
    query,
    variables,
    ms,
    ...(problem && { problem: problem.message }),
  };
  // What is asked again and again stands there once.
  const others = asked.value.filter(other => !isSame(other, entry));
  asked.value = [entry, ...others].slice(0, MAX_ASKED);
  if (problem) throw problem;
  return answer.data as Result;
}

const isSame = (a: Asked, b: Asked): boolean =>
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
  const response = await fetch('/graphql', { method: 'POST', headers, body, ...(stop && { signal: stop }) }).catch(
    error => {
      if (!stop?.aborted) isOnline.value = false;
      throw error;
    },
  );
  isOnline.value = true;
  if (response.status === 401) isSignedOut.value = true;
  return response.json() as Promise<Answer<Result>>;
}

/** What is wrong with a part of a variable is named after both, `plan.amount`; forms know the part, `amount`. */
function partOf(field: string, variables: unknown): string {
  const [variable = '', ...part] = field.split('.');
  const value = (variables as Record<string, unknown>)[variable];
  return part.length > 0 && typeof value === 'object' ? part.join('.') : field;
}

/** A server that was updated meanwhile can answer a problem that this page does not know. */
const sayRefusal = ({ problem = '', parameters, field }: Refusal, message: string): string =>
  isProblemCode(problem)
    ? describeProblem(problem, { ...parameters, ...(field !== undefined && { field }) }, language)
    : message;

function problemOf(
  { data, errors = [], description, error_code, request_id }: Answer<unknown>,
  variables: unknown,
  mayLack: readonly string[],
): Problem | undefined {
  const error = errors.find(({ path = [] }) => !mayLack.includes(String(path[0])));
  if (error) {
    const { error_code, request_id, field, fields = [], ...first } = error.extensions ?? {};
    const byField = new Map(
      fields.map(({ field, description, ...refusal }) => {
        const part = partOf(field, variables);
        return [part, sayRefusal({ ...refusal, field: part }, description)];
      }),
    );
    const part = field === undefined ? undefined : partOf(field, variables);
    const message = sayRefusal({ ...first, ...(part !== undefined && { field: part }) }, error.message);
    return new Problem(message, error_code, request_id, part, byField);
  }
  if (!data) return new Problem(description ?? '', error_code, request_id);
  return undefined;
}
