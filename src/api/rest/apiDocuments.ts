/** The committed API documents, written by `npm run schema`, so that reviewers see changes of the APIs. */
import { lexicographicSortSchema, printSchema } from 'graphql';
import { publishedSchema } from '../publishedSchema';
import { openapi } from './openapi';

/** By file name in the root of the project. */
export const apiDocuments = (): Record<string, string> => ({
  'schema.graphql': `${printSchema(lexicographicSortSchema(publishedSchema))}\n`,
  'openapi.json': `${JSON.stringify(openapi('sandbox'), null, 2)}\n`,
});
