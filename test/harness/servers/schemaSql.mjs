// Prints the SQL that turns an empty database into the database of schema.prisma, as computed by Prisma's schema
// engine. The engine is WebAssembly in an ES module, so it runs outside Jest. It needs the URL of a database: the first
// argument.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

const wasm = new URL('schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm'));
const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { './schema_engine_bg.js': engine });
engine.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const path = fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url));
const content = readFileSync(path, 'utf8');
const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: process.argv[2] }));
const schemaEngine = await engine.SchemaEngine.new({ datamodels: [[path, content]] }, () => undefined, adapter);
const { stdout } = await schemaEngine.diff({
  from: { tag: 'empty' },
  to: { tag: 'schemaDatamodel', files: [{ path, content }] },
  script: true,
  exitCode: null,
  filters: { externalTables: [], externalEnums: [] },
});
process.stdout.write(stdout, () => process.exit(0));
