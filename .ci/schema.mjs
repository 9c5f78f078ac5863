// Writes schema.graphql and openapi.json as the program says them. With --released, at a release, the GraphQL schema also becomes
// the one that later changes are compared with.
import { writeFileSync } from 'node:fs';
import { apiDocuments } from '../dist/src/api/rest/apiDocuments.js';

const write = (path, text) => {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.info(`${path} is written.`);
};

const files = apiDocuments();
for (const [name, text] of Object.entries(files)) write(name, text);
if (process.argv.includes('--released')) write('test/api/graphql/released.graphql', files['schema.graphql']);
