import type { ResultOf } from '../../shared/api/graphql';
import { graphql } from '../graphql';

export const STORY = graphql(`
  query Story($id: ID!, $offset: Int!) {
    story(id: $id, offset: $offset, limit: 100) {
      kind merchant_id environment temporal_problem next_offset actions
      entries { at source text }
      workflows { id url }
    }
  }
`);

export type Story = NonNullable<ResultOf<typeof STORY>['story']>;
export type Entry = Story['entries'][number];
