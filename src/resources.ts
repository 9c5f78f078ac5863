/** What the parameters of a path name. */
import type { Context } from './context';
import { findCustomer } from './customers/resolver';
import { ApiError } from './errors';

const finders: Record<string, (context: Context, id: string) => Promise<unknown>> = {
  customer_id: findCustomer,
};

/** 1005 where something that is named is not there. */
export async function findNamed(context: Context, args: Record<string, unknown>): Promise<void> {
  for (const [name, id] of Object.entries(args)) {
    const find = id === undefined || id === null ? undefined : finders[name];
    await find?.(context, String(id));
  }
}

/**
 * Who is missing is told of before what is wrong with the rest of the request. Looked for only when something is wrong, so that a good
 * request costs no extra look.
 */
export async function missingFirst(context: Context, args: Record<string, unknown>, error: unknown): Promise<never> {
  if (error instanceof ApiError && (error.kind === 'malformed' || error.kind === 'invalid_value')) {
    await findNamed(context, args);
  }
  throw error;
}
