/** The OpenAPI document, from the same rows and shapes that serve the requests. */
import type { Environment } from '../../../prisma/generated/enums';
import { type Class, type Shape, shapeOf } from '../../schema/shapes';
import { queryName, signatureOf } from './operation';
import { type Route, routesOf } from './routes';

type Json = Record<string, unknown>;

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const kinds: Record<Shape['kind'], (shape: Shape) => Json> = {
  text: ({ max, email }) => ({
    type: 'string',
    ...(max ? { maxLength: max } : {}),
    ...(email ? { format: 'email' } : {}),
  }),
  flag: () => ({ type: 'boolean' }),
  count: ({ min, max }) => ({
    type: 'integer',
    ...(min !== undefined ? { minimum: min } : {}),
    ...(max !== undefined ? { maximum: max } : {}),
  }),
  money: () => ({ type: 'number', multipleOf: 0.01 }),
  day: () => ({ type: 'string', format: 'date' }),
  moment: () => ({ type: 'string', format: 'date-time', examples: ['2026-11-14T18:50:00-05:00'] }),
  choice: ({ values }) => ({ type: 'string', enum: values, examples: [values?.[0]] }),
  object: ({ of }) => reference((of as () => Class)().name),
  value: () => ({}),
  values: ({ max }) => ({ type: 'array', items: {}, ...(max ? { maxItems: max } : {}) }),
  list: ({ of }) => ({ type: 'array', items: reference((of as () => Class)().name) }),
};

function property(shape: Shape): Json {
  const { about, example, optional } = shape;
  const schema = kinds[shape.kind](shape);
  const nullable = optional && typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema;
  return { ...nullable, description: about, ...(example !== undefined ? { examples: [example] } : {}) };
}

function objectSchema(type: Class): Json {
  const fields = [...shapeOf(type).values()];
  const required = fields.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(fields.map(shape => [shape.name, property(shape)])),
  };
}

/** Every class that a class shows, itself included. */
function* classesOf(type: Class): Generator<Class> {
  yield type;
  for (const { of } of shapeOf(type).values()) if (of) yield* classesOf(of());
}

const errorSchema: Json = {
  type: 'object',
  required: ['category', 'error_code', 'description', 'http_code', 'request_id'],
  properties: {
    category: { type: 'string', enum: ['request', 'internal', 'gateway'] },
    error_code: { type: 'integer', examples: [1001] },
    description: { type: 'string' },
    http_code: { type: 'integer', examples: [400] },
    request_id: { type: 'string', format: 'uuid', description: 'Also in the Request-Id header' },
  },
};

const parameter = (place: 'path' | 'query', name: string, schema: Json, description: string): Json => ({
  name,
  in: place,
  required: place === 'path',
  description,
  schema,
});

function parametersOf({ path, method, field }: Route): Json[] {
  const names = ['merchant_id', ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)];
  const { filters } = signatureOf(field);
  return [
    ...names.map(name => parameter('path', name, { type: 'string', maxLength: 45 }, name.replaceAll('_', ' '))),
    ...(filters ? [...shapeOf(filters).values()] : []).map(shape =>
      parameter('query', queryName(shape.name), kinds[shape.kind](shape), shape.about),
    ),
    ...(method === 'POST'
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            description: 'The same key again gets the first answer',
            schema: { type: 'string', maxLength: 255 },
          },
        ]
      : []),
  ];
}

const content = (schema: Json): Json => ({ 'application/json': { schema } });

const isOfCustomer = ({ path }: Route): boolean => /^\/customers\/:customer_id\/\w/.test(path);

function operationOf(route: Route): Json {
  const { answer, isList, inputs, description } = signatureOf(route.field);
  const whole = answer && answer !== (Boolean as unknown) ? reference(answer.name) : undefined;
  const shown = route.empty ? { type: 'object', maxProperties: 0 } : whole;
  const body = route.body ? inputs.get(route.body) : undefined;
  const answered = shown && { content: content(isList ? { type: 'array', items: shown } : shown) };
  const success = answered
    ? {
        [route.creates ? 201 : 200]: { description: 'Done', ...answered },
        ...(route.waits ? { 202: { description: 'Not done yet; the same request again waits on', ...answered } } : {}),
      }
    : { 204: { description: 'Done' } };
  return {
    // The same field at two levels: what is named twice could not be told apart.
    operationId: isOfCustomer(route) ? `${route.field}OfCustomer` : route.field,
    summary: description,
    parameters: parametersOf(route),
    ...(body ? { requestBody: { required: true, content: content(reference(body.name)) } } : {}),
    responses: { ...success, default: { description: 'Refused', content: content(reference('Error')) } },
  };
}

export function openapi(environment: Environment): Json {
  const paths: Record<string, Json> = {};
  const classes = new Set<Class>();
  for (const route of routesOf(environment)) {
    const { answer, inputs } = signatureOf(route.field);
    const shown = [answer, route.body ? inputs.get(route.body) : undefined];
    for (const type of shown) if (type && shapeOf(type).size > 0) for (const each of classesOf(type)) classes.add(each);
    const path = `/v1/{merchant_id}${route.path === '/' ? '' : route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'recaudo', version: '1', description: 'Payments and recurring billing in Colombian pesos' },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'basic', description: 'The API key as user name, an empty password' },
      },
      schemas: { Error: errorSchema, ...Object.fromEntries([...classes].map(type => [type.name, objectSchema(type)])) },
    },
  };
}
