/**
 * The schemas of GraphQL clients: one for merchants, one for operators. They have the fields of `apiSchema`, except that
 * each list is its connection: the lists that REST pages by offset are absent, and `chargesConnection` is published as
 * `charges`.
 */
import { type GraphQLFieldConfig, type GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { apiSchema } from '../apiSchema';

const SUFFIX = 'Connection';

type IsPublished = (field: GraphQLFieldConfig<unknown, unknown>) => boolean;

function publishedRoot(
  root: GraphQLObjectType | null | undefined,
  isPublished: IsPublished,
): GraphQLObjectType | undefined {
  if (!root) return undefined;
  const { fields, ...config } = root.toConfig();
  const published = Object.entries(fields)
    .filter(([name, field]) => isPublished(field) && !(`${name}${SUFFIX}` in fields))
    .map(([name, field]) => [name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name, field]);
  if (published.length === 0) return undefined;
  return new GraphQLObjectType({ ...config, fields: Object.fromEntries(published) });
}

const publish = (isPublished: IsPublished): GraphQLSchema =>
  new GraphQLSchema({
    query: publishedRoot(apiSchema.getQueryType(), isPublished),
    mutation: publishedRoot(apiSchema.getMutationType(), isPublished),
    subscription: publishedRoot(apiSchema.getSubscriptionType(), isPublished),
    // No field of an operator returns it, but errors carry its values.
    types: [apiSchema.getType('ErrorCode') as GraphQLNamedType],
  });

const isForOperators: IsPublished = ({ extensions }) => extensions?.operatorRole !== undefined;

export const operatorSchema = publish(isForOperators);
export const merchantSchema = publish(field => !isForOperators(field));
