/** Routes as operations of the document. */
import type { Class } from '../../../schema/shapes';
import { apiSchema } from '../../apiSchema';
import { fieldMetadataOf } from '../fieldMetadata';
import type { Route } from '../routes';
import { titleOf } from '../titles';
import type { Level } from './bodyRules';
import { content, type Json, reference } from './json';
import { tagOf } from './overview';
import { parametersOf } from './parameters';
import { requestSchema, schemaName } from './requestSchemas';
import { responsesOf } from './responses';

export const levelOf = ({ path }: Route): Level =>
  /^\/customers\/:customer_id\/\w/.test(path) ? 'customer' : 'merchant';

const ownerOf = (route: Route): string =>
  levelOf(route) === 'customer' ? 'OfCustomer' : /^\/plans\/:plan_id\/subscriptions/.test(route.path) ? 'OfPlan' : '';

export const bodyOf = ({ field, body }: Route): Class | undefined =>
  body ? fieldMetadataOf(field).inputs.get(body) : undefined;

const takesPublicKey = ({ field }: Route): boolean =>
  Boolean(
    { ...apiSchema.getQueryType()?.getFields(), ...apiSchema.getMutationType()?.getFields() }[field]?.extensions
      .publicKey,
  );

function requestBody(route: Route): Json {
  const type = bodyOf(route);
  if (!type) return {};
  const level = levelOf(route);
  const { required, oneOf } = requestSchema(type, level);
  // The body is optional if it has no required fields.
  return {
    requestBody: { required: Boolean(required ?? oneOf), content: content(reference(schemaName(type, level))) },
  };
}

export const operationOf = (route: Route): Json => ({
  // A field may serve several levels, but operation IDs are unique.
  operationId: `${route.field}${ownerOf(route)}`,
  summary: titleOf(route),
  description: fieldMetadataOf(route.field).description,
  tags: [tagOf(route)],
  ...(takesPublicKey(route) ? { security: [{ private_key: [] }, { public_key: [] }] } : {}),
  parameters: parametersOf(route),
  ...requestBody(route),
  responses: responsesOf(route),
});
