// Bundles and compresses the files that browsers load.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { build } from 'esbuild';

const { buildSchema, introspectionFromSchema } = createRequire(import.meta.url)('graphql');
const FOLDER = 'dist/browser';
/** Modules, by the name of the page. */
const SCRIPTS = [
  { in: 'browser/explorer/main.tsx', out: 'explorer' },
  { in: 'browser/operator/main.tsx', out: 'operator' },
  { in: 'browser/pages/pay.ts', out: 'pay' },
  { in: 'browser/pages/docs.ts', out: 'docs' },
  { in: 'browser/pages/front.ts', out: 'front' },
  { in: 'browser/pages/tokenizeDemo.ts', out: 'tokenize-demo' },
];
/** Its screens are a module that is loaded after the first view: `dashboard-Screens.js`. */
const SPLIT_SCRIPT = { in: 'browser/dashboard/main.tsx', out: 'dashboard' };
const STYLES = [
  { in: 'browser/explorer/explorer.css', out: 'explorer' },
  { in: 'browser/dashboard/style/dashboard.css', out: 'dashboard' },
  { in: 'browser/operator/operator.css', out: 'operator' },
  { in: 'browser/pages/pay.css', out: 'pay' },
  { in: 'browser/pages/docs.css', out: 'docs' },
  { in: 'browser/pages/front.css', out: 'front' },
  { in: 'browser/pages/tokenize-demo.css', out: 'tokenize-demo' },
];
/** Sent as they are. */
const COPIED = [
  'schema.graphql',
  'browser/icon.svg',
  'browser/pages/tokenize.js',
  'browser/pages/tokenize-demo.html',
  'browser/pages/mailbox.css',
];

/** Writes the schema types from which the types of the pages' operations are computed. */
function writeSchemaTypes() {
  for (const [file, types] of Object.entries({ schema: 'graphql-env', operator: 'operator-graphql-env' })) {
    const introspection = introspectionFromSchema(buildSchema(readFileSync(`${file}.graphql`, 'utf8')));
    const options = { fileType: '.d.ts', shouldPreprocess: true };
    // The end of the file would make it the only schema.
    const [text] = outputIntrospectionFile(minifyIntrospection(introspection), options).split('import * as gqlTada');
    writeFileSync(`${FOLDER}/${types}.d.ts`, text);
  }
}

export async function bundlePages() {
  mkdirSync(FOLDER, { recursive: true });
  writeSchemaTypes();
  const options = {
    outdir: FOLDER,
    bundle: true,
    minify: true,
    metafile: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'text' },
    // Half of graphql-js checks in development what it was given.
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process': 'undefined' },
  };
  const { metafile } = await build({ ...options, format: 'esm', entryPoints: [...SCRIPTS, ...STYLES] });
  const { metafile: split } = await build({
    ...options,
    format: 'esm',
    splitting: true,
    chunkNames: 'dashboard-[name]',
    entryPoints: [SPLIT_SCRIPT],
  });
  // Merchants' pages include it as a classic script.
  const { metafile: classic } = await build({ ...options, format: 'iife', entryPoints: ['browser/pages/device.ts'] });
  const copies = COPIED.map(file => {
    const copy = `${FOLDER}/${basename(file)}`;
    copyFileSync(file, copy);
    return copy;
  });
  for (const file of [...Object.keys({ ...metafile.outputs, ...split.outputs, ...classic.outputs }), ...copies]) {
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content));
  }
}
