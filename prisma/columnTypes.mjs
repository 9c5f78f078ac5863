// Runs with `prisma generate` and writes down the columns of each table with their types in PostgreSQL, which the
// client does not say. src/platform/database/rows.ts puts statements together with them.
import { writeFileSync } from 'node:fs';
import generatorHelper from '@prisma/generator-helper';

const types = { String: 'text', Int: 'integer', BigInt: 'bigint', Boolean: 'boolean', Json: 'jsonb', Bytes: 'bytea' };
const sqlType = ({ kind, type, nativeType }) =>
  kind === 'enum' ? `"${type}"` : (nativeType?.[0].toLowerCase() ?? types[type]);

/** What only the database fills in is not written by a statement. */
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
