import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { apiSchema } from '../apiSchema';
import { parseJson } from '../json';
import { rejectOtherMethods } from '../methodNotAllowed';
import { handleRequest, JSON_TYPE, type ServerDependencies } from '../request';
import { preferNotFound } from '../resources';
import type { StreamableResponse } from '../streamBody';
import { openapi } from './openapi';
import { Operation, type RequestInput } from './operation';
import { allowsBrowsers, routesOf } from './routes';

export function addRest(server: FastifyInstance, dependencies: ServerDependencies): void {
  const document = JSON.stringify(openapi(dependencies.environment));
  server.get('/openapi.json', (_, reply) => reply.headers(JSON_TYPE).send(document));

  const paths = new Map<string, HTTPMethods[]>([['/openapi.json', ['GET']]]);
  for (const route of routesOf(dependencies.environment)) {
    const operation = new Operation(apiSchema, route);
    const url = `/v1/:merchant_id${route.path === '/' ? '' : route.path}`;
    paths.set(url, [...(paths.get(url) ?? []), route.method]);
    const { path } = route;
    server.route({
      method: route.method,
      url,
      config: { operation: route.field },
      handler: (request, reply) => {
        if (allowsBrowsers(path)) reply.headers(CORS_HEADERS);
        const { merchant_id = '', ...params } = request.params as Record<string, string>;
        return handleRequest(dependencies, request, reply, {
          merchant_id,
          path: () => `/v1/${merchant_id}${fillPath(route.path, params)}`,
          takesIdempotencyKey: () => route.method === 'POST',
          size: operation.sizeOf({
            query: request.query as Record<string, unknown>,
            accept: request.headers.accept,
          }),
          guard: context => operation.guard(context),
          renderError: error => ({
            status: error.http_code,
            headers: JSON_TYPE,
            body: JSON.stringify(error.body(request.id)),
          }),
          perform: context =>
            perform(operation, context, {
              params,
              query: request.query as Record<string, unknown>,
              bytes: request.body,
              accept: request.headers.accept,
            }),
        });
      },
    });
  }
  for (const [url, methods] of paths) {
    const allowedMethods = allowsBrowsers(url.replace('/v1/:merchant_id', ''))
      ? [...methods, 'OPTIONS' as const]
      : methods;
    if (allowedMethods !== methods)
      server.options(url, (_, reply) => reply.status(204).headers(preflightHeaders(methods)).send());
    rejectOtherMethods(server, url, allowedMethods);
  }
}

/** Any site may call, because only the API key authenticates, never a cookie. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Request-Id, Location, Resource-Id',
};

/** Headers of the response to a CORS preflight request. */
const preflightHeaders = (methods: HTTPMethods[]): Record<string, string> => ({
  ...CORS_HEADERS,
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
  'access-control-max-age': '86400',
});

const fillPath = (path: string, params: Record<string, string>): string =>
  path === '/' ? '' : path.replace(/:(\w+)/g, (_, name) => params[name] ?? '');

async function perform(
  operation: Operation,
  context: Context,
  { bytes, ...input }: RequestInput & { bytes: unknown },
): Promise<StreamableResponse> {
  const { route } = operation;
  const { params } = input;
  let json: unknown;
  try {
    const body = route.body && bytes instanceof Uint8Array && bytes.length > 0 ? parseJson(bytes) : undefined;
    if (operation.isInParts(input)) return await operation.start(context, input);
    json = await operation.perform(context, { ...input, body });
  } catch (error) {
    // Every invalid query parameter is an invalid value.
    const isInvalidQuery = error instanceof ApiError && error.kind === 'malformed' && route.method === 'GET';
    return preferNotFound(context, params, isInvalidQuery ? error.as('invalid_value') : error);
  }
  if (route.empty) return { status: 200, headers: JSON_TYPE, body: '{}' };
  if (json === undefined) return { status: 204, headers: {}, body: '' };
  const response = operation.toResponse(json, input);
  // Not final: a retry continues to wait.
  if (route.waits && (json as { to?: unknown }).to !== undefined) return { ...response, status: 202, final: false };
  if (!route.creates) return response;
  const { id } = json as { id: string };
  const location = `/v1/${context.merchant_id}${fillPath(route.path, params)}/${id}`;
  return { ...response, status: 201, headers: { ...JSON_TYPE, location, 'resource-id': id } };
}
