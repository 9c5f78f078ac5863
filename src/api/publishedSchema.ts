/**
 * The schema of GraphQL clients. It has the fields of `apiSchema`, except that each list is its connection: the lists that
 * REST pages by offset are absent, and `chargesConnection` is published as `charges`.
 */
import { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { apiSchema } from './apiSchema';

const SUFFIX = 'Connection';

function publishedRoot(root: GraphQLObjectType | null | undefined): GraphQLObjectType | undefined {
  if (!root) return undefined;
  const { fields, ...config } = root.toConfig();
  const published = Object.entries(fields)
    .filter(([name]) => !(`${name}${SUFFIX}` in fields))
    .map(([name, field]) => [name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name, field]);
  return new GraphQLObjectType({ ...config, fields: Object.fromEntries(published) });
}

export const publishedSchema = new GraphQLSchema({
  query: publishedRoot(apiSchema.getQueryType()),
  mutation: publishedRoot(apiSchema.getMutationType()),
  subscription: publishedRoot(apiSchema.getSubscriptionType()),
});
