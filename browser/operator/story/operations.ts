import type { ResultOf } from '../../shared/api/graphql';
import { graphql } from '../graphql';

export const STORY = graphql(`
  query Story($id: ID!, $after: String) {
    story(id: $id, after: $after) {
      kind merchant_id environment temporal_problem actions
      entries { nodes { at source text } pageInfo { hasNextPage endCursor } }
      workflows { id url }
    }
  }
`);

export type Story = NonNullable<ResultOf<typeof STORY>['story']>;
export type Entry = Story['entries']['nodes'][number];
