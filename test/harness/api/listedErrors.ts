/** Every error of a mutation in any test, over GraphQL or REST, must be listed in the mutation's description. */
import { apiSchema } from '../../../src/api/apiSchema';
import { routes } from '../../../src/api/rest/routes';
import { type ErrorKind, errorKindOf } from '../../../src/platform/errors';
import { COMMON_ERRORS } from '../../../src/schema/errors/errorCode';

interface Answer {
  error_code?: number;
  /** Only errors have this field: a declined charge has an error_code too. */
  http_code?: number;
  errors?: { path?: (string | number)[]; extensions?: { error_code?: number } }[];
}

const mutations = apiSchema.getMutationType()?.getFields() ?? {};

export const listedErrors = (mutation: string): string[] =>
  mutations[mutation]?.description?.split('. Errors: ')[1]?.split(', ') ?? [];

const patterns = routes
  .filter(({ field }) => field in mutations)
  .map(({ method, path, field }) => {
    const below = path === '/' ? '' : path.replace(/:\w+/g, '[^/]+');
    return { method, field, pattern: new RegExp(`^/v1/[^/]+${below}$`) };
  });

/** The mutation of a REST request, or the errors of a GraphQL response by mutation. An alias hides the mutation. */
function answered(method: string, url: string, body: Answer | undefined): [string, number][] {
  const { pathname } = new URL(url);
  const route = patterns.find(each => each.method === method && each.pattern.test(pathname));
  if (route) return body?.http_code && body.error_code ? [[route.field, body.error_code]] : [];
  return (body?.errors ?? []).flatMap(({ path, extensions }): [string, number][] => {
    const name = String(path?.[0]);
    return path?.length === 1 && name in mutations && extensions?.error_code ? [[name, extensions.error_code]] : [];
  });
}

export function assertListed(method: string, url: string, body: unknown): void {
  for (const [mutation, code] of answered(method, url, body as Answer | undefined)) {
    const kind: ErrorKind = errorKindOf(code);
    if (COMMON_ERRORS.includes(kind) || listedErrors(mutation).includes(kind)) continue;
    throw new Error(`${mutation} answered ${kind}, which its description does not list`);
  }
}
