// Bundles what browsers load, and compresses it once and for all.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { build } from 'esbuild';

const { buildSchema, introspectionFromSchema } = createRequire(import.meta.url)('graphql');
const FOLDER = 'dist/browser';

/** What the types of the dashboard's operations are computed from. */
function writeSchemaTypes() {
  const introspection = introspectionFromSchema(buildSchema(readFileSync('schema.graphql', 'utf8')));
  const options = { fileType: '.d.ts', shouldPreprocess: true };
  writeFileSync(`${FOLDER}/graphql-env.d.ts`, outputIntrospectionFile(minifyIntrospection(introspection), options));
}

export async function bundlePages() {
  mkdirSync(FOLDER, { recursive: true });
  writeSchemaTypes();
  const { metafile } = await build({
    entryPoints: [
      { in: 'browser/explorer/main.ts', out: 'explorer' },
      { in: 'browser/explorer/explorer.css', out: 'explorer' },
      { in: 'browser/dashboard/main.tsx', out: 'dashboard' },
      { in: 'browser/dashboard/style/dashboard.css', out: 'dashboard' },
      { in: 'browser/operator/main.tsx', out: 'operator' },
      { in: 'browser/operator/operator.css', out: 'operator' },
    ],
    outdir: FOLDER,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'text' },
    // Half of graphql-js checks in development what it was given.
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process': 'undefined' },
  });
  // The explorer loads the schema as a file.
  copyFileSync('schema.graphql', `${FOLDER}/schema.graphql`);
  for (const file of [...Object.keys(metafile.outputs), `${FOLDER}/schema.graphql`]) {
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content));
  }
}
