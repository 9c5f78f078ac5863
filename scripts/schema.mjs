// Writes the generated files: schema.graphql, operator.graphql, openapi.json and the tables of the guides. With --released, also stores the
// GraphQL schema as the baseline for compatibility checks.
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from '../dist/src/web/reference/generatedFiles.js';

const at = path => new URL(`../${path}`, import.meta.url);
const files = generatedFiles(path => readFileSync(at(path), 'utf8'));
if (process.argv.includes('--released')) files['test/api/graphql/released.graphql'] = files['schema.graphql'];
for (const [path, text] of Object.entries(files)) {
  writeFileSync(at(path), text);
  console.info(`Wrote ${path}.`);
}
