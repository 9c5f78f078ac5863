// Runs with `prisma generate` and writes the PostgreSQL column types of each table, which the Prisma client does not expose.
// Used by src/platform/database/rows.ts.
import { writeFileSync } from 'node:fs';
import generatorHelper from '@prisma/generator-helper';

const types = { String: 'text', Int: 'integer', BigInt: 'bigint', Boolean: 'boolean', Json: 'jsonb', Bytes: 'bytea' };
const sqlType = ({ kind, type, nativeType }) =>
  kind === 'enum' ? `"${type}"` : (nativeType?.[0].toLowerCase() ?? types[type]);

/** Excludes columns that the database generates. */
const isWritten = ({ kind, default: { name = '' } = {} }) =>
  (kind === 'scalar' || kind === 'enum') && name !== 'autoincrement' && name !== 'dbgenerated';

const columnsOf = fields => Object.fromEntries(fields.filter(isWritten).map(field => [field.name, sqlType(field)]));

generatorHelper.generatorHandler({
  onManifest: () => ({ defaultOutput: 'generated/columnTypes.ts' }),
  async onGenerate({ dmmf, generator }) {
    const tables = Object.fromEntries(dmmf.datamodel.models.map(({ dbName, fields }) => [dbName, columnsOf(fields)]));
    writeFileSync(generator.output.value, `export const columnTypes = ${JSON.stringify(tables, null, 2)};\n`);
  },
});
