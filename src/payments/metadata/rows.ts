/** Lists of records with metadata. */
import { Prisma } from '../../../prisma/generated/client';
import type { BoundedList } from '../../schema/boundedList';
import type { Metadata } from './metadata';

interface WithMetadata {
  id: string;
  metadata: Metadata | null;
}

/** The condition of the filter `metadata`: every pair matches exactly. */
export const metadataWhere = ({ metadata = {} }: { metadata?: Metadata | undefined }) =>
  Object.keys(metadata).length > 0 ? { metadata: { contains: metadata } } : {};

/** Null clears the column, and undefined keeps it. */
export const metadataColumn = (metadata: Metadata | null | undefined) => (metadata === null ? Prisma.DbNull : metadata);

/** Only metadata counts: the other fields of these records are small. */
const bytesOf = ({ metadata }: WithMetadata): number =>
  metadata === null ? 0 : Buffer.byteLength(JSON.stringify(metadata));

interface MetadataReading<Row> {
  limit: number;
  readIds(): Promise<{ id: string }[]>;
  find(id: string): Promise<Row | undefined>;
  /** One statement instead of two. */
  read?(): Promise<Row[]>;
}

/** A list that is limited by the size of its metadata. */
export function metadataList<Row extends WithMetadata>({
  limit,
  find,
  ...reading
}: MetadataReading<Row>): BoundedList<Row> {
  const readIds = async () => (await reading.readIds()).map(({ id }) => id);
  const load = async (ids: string[]) => (await Promise.all(ids.map(find))).filter(row => row !== undefined);
  return { limit, readIds, load, read: reading.read ?? (async () => load(await readIds())), bytesOf };
}
