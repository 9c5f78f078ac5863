/** The OpenAPI document, derived from the routes and shapes that serve requests. */
import type { Environment } from '../../../prisma/generated/enums';
import { Event } from '../../events/fields';
import { type Class, shapeOf } from '../../schema/shapes';
import { fieldMetadataOf } from './fieldMetadata';
import { errorSchemas } from './openapi/errors';
import { eventSchemas } from './openapi/events';
import type { Json } from './openapi/json';
import { bodyOf, levelOf, operationOf } from './openapi/operations';
import { ABOUT, tags } from './openapi/overview';
import { idempotencyKey } from './openapi/parameters';
import { classesOf, objectSchema } from './openapi/properties';
import { requestSchema, schemaName } from './openapi/requestSchemas';
import { headers, refusals } from './openapi/responses';
import { webhookParameters, webhooks } from './openapi/webhooks';
import { type Route, routesOf } from './routes';

const securitySchemes = {
  private_key: {
    type: 'http',
    scheme: 'basic',
    description: 'The private key (sk_…) as user name, with an empty password',
  },
  public_key: {
    type: 'http',
    scheme: 'basic',
    description: 'The public key (pk_…) as user name, with an empty password',
  },
  webhook_user: { type: 'http', scheme: 'basic', description: 'The user name and password of the webhook' },
};

/** The schemas of all request and response bodies. */
function schemasOf(routes: readonly Route[]): Record<string, Json> {
  const schemas: Record<string, Json> = { ...errorSchemas };
  for (const route of routes) {
    const { answer } = fieldMetadataOf(route.field);
    const body = bodyOf(route);
    const shown: Class[] = answer && shapeOf(answer).size > 0 ? [...classesOf(answer)] : [];
    for (const type of shown) if (type !== Event) schemas[type.name] ??= objectSchema(type, 'answer');
    for (const type of body ? classesOf(body) : [])
      schemas[schemaName(type, levelOf(route))] ??= requestSchema(type, levelOf(route));
  }
  return { ...schemas, ...eventSchemas };
}

export function openapi(environment: Environment): Json {
  const routes = routesOf(environment);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = `/v1/{merchant_id}${route.path === '/' ? '' : route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'recaudo', version: '1', description: ABOUT },
    servers: [{ url: '/' }],
    security: [{ private_key: [] }],
    tags: tags.filter(({ name }) => environment === 'sandbox' || name !== 'sandbox'),
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes,
      parameters: { IdempotencyKey: idempotencyKey, ...webhookParameters },
      headers,
      responses: refusals,
      schemas: schemasOf(routes),
    },
  };
}
