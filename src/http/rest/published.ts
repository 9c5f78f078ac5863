/** Both interfaces as files, for whoever reads, compares or generates without a running program. `npm run schema` writes them. */
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../operations';
import { openapi } from './openapi';

/** What stands at the top of the project, by file name. */
export const published = (): Record<string, string> => ({
  'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
  'openapi.json': `${JSON.stringify(openapi('sandbox'), null, 2)}\n`,
});
