import { graphql, type ResultOf } from '../../shared/api/graphql';

const FIELDS = graphql(`
  fragment KeyFields on ApiKey { id name kind masked read_only addresses creation_date last_used_at expires_at }
`);
export type KeyRow = ResultOf<typeof FIELDS>;

export const KEYS = graphql(
  `query Keys($limit: Int, $offset: Int) { keys(limit: $limit, offset: $offset) { nodes { ...KeyFields } } }`,
  [FIELDS],
);
export const KEY = graphql(`query Key($id: ID!) { key(key_id: $id) { ...KeyFields } }`, [FIELDS]);

export const SESSIONS = graphql(`
  query Sessions($limit: Int, $offset: Int) {
    sessions(limit: $limit, offset: $offset) {
      nodes {
        id key_id customer_id scope origins creation_date last_used_at expires_at revoked_at
      }
    }
  }
`);
export type SessionRow = NonNullable<ResultOf<typeof SESSIONS>['sessions']>[number];
export const REVOKE = graphql(`mutation RevokeSession($id: ID!) { revokeSession(session_id: $id) { id } }`);
