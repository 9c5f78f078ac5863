// Writes the schema types from which operations are typed. Run it again after a schema change.
import { readFileSync, writeFileSync } from 'node:fs';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const { SCHEMA = new URL('../../schema.graphql', import.meta.url) } = process.env;
const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(readFileSync(SCHEMA, 'utf8'))));
const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
writeFileSync(new URL('src/graphql-env.d.ts', import.meta.url), text);
