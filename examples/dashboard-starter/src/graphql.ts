/** Operations are written as GraphQL; what they take and answer is computed from the schema, and checked by the compiler. */
import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env';

export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    Money: number;
    Moment: string;
    Day: string;
    JSONObject: Record<string, unknown>;
  };
}>();
