import type { introspection } from '../../dist/browser/operator-graphql-env';
import { join, type Typed } from '../shared/api/graphql';

/** Operations of the operators' schema. */
export const graphql = join as unknown as Typed<introspection>;
