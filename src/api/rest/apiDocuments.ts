/** The committed API documents, written by `npm run schema`, so that reviewers see changes of the APIs. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { merchantSchema, operatorSchema } from '../graphql/publishedSchemas';
import { openapi } from './openapi';

const print = (schema: GraphQLSchema): string => `${printSchema(lexicographicSortSchema(schema))}\n`;

/** By file name in the root of the project. */
export const apiDocuments = (): Record<string, string> => ({
  'schema.graphql': print(merchantSchema),
  'operator.graphql': print(operatorSchema),
  'openapi.json': `${JSON.stringify(openapi('sandbox'), null, 2)}\n`,
});
