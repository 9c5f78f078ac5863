// Writes the files that the program generates: schema.graphql, openapi.json and the tables of the guides. With --released,
// at a release, the GraphQL schema also becomes the one that later changes are compared with.
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from '../dist/src/web/reference/generatedFiles.js';

const at = path => new URL(`../${path}`, import.meta.url);
const files = generatedFiles(path => readFileSync(at(path), 'utf8'));
if (process.argv.includes('--released')) files['test/api/graphql/released.graphql'] = files['schema.graphql'];
for (const [path, text] of Object.entries(files)) {
  writeFileSync(at(path), text);
  console.info(`${path} is written.`);
}
