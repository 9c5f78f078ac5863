import { graphql, type ResultOf } from '../../shared/api/graphql';

const FIELDS = graphql(`
  fragment KeyFields on ApiKey { id name kind masked read_only addresses creation_date last_used_at expires_at }
`);
export type KeyRow = ResultOf<typeof FIELDS>;

export const KEYS = graphql(
  `
  query Keys($first: Int, $after: String, $last: Int, $before: String) {
    keys(first: $first, after: $after, last: $last, before: $before) {
      edges { node { ...KeyFields } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`,
  [FIELDS],
);
export const KEY = graphql(`query Key($id: ID!) { key(key_id: $id) { ...KeyFields } }`, [FIELDS]);

export const SESSIONS = graphql(`
  query Sessions($first: Int, $after: String, $last: Int, $before: String) {
    sessions(first: $first, after: $after, last: $last, before: $before) {
      edges { node { id key_id customer_id scope origins creation_date last_used_at expires_at revoked_at } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);
export type SessionRow = NonNullable<ResultOf<typeof SESSIONS>['sessions']>['edges'][number]['node'];
export const REVOKE = graphql(`mutation RevokeSession($id: ID!) { revokeSession(session_id: $id) { id } }`);
