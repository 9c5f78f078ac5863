/**
 * The API documents that are committed, so that a reviewer sees what a change does to the APIs. `npm run schema` writes
 * them.
 */
import { lexicographicSortSchema, printSchema } from 'graphql';
import { apiSchema } from '../apiSchema';
import { openapi } from './openapi';

/** By file name, at the top of the project. */
export const apiDocuments = (): Record<string, string> => ({
  'schema.graphql': `${printSchema(lexicographicSortSchema(apiSchema))}\n`,
  'openapi.json': `${JSON.stringify(openapi('sandbox'), null, 2)}\n`,
});
