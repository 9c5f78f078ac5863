/** Typed GraphQL operations: variables and results are inferred from the schema. */
import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env';

export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    Money: number;
    Timestamp: string;
    Day: string;
    JSONObject: Record<string, unknown>;
  };
}>();
