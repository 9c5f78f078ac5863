/** Verifies the signed batches of the audit log, and compares them with heads that were published outside the database. */
import type { Client } from 'pg';
import { type AuditBatch, isSigned, readHeadLines, toBatch } from '../../accounts/auditLog/batch';
import type { Finding } from './checks';

/** The proof that the database does not have. */
export interface AuditProof {
  key: Buffer;
  /** Text with published heads. */
  published?: string | undefined;
}

const MAX_PAGE_ROWS = 10_000;

type ReadBatch = AuditBatch & { isOld: boolean };

async function* readBatches(client: Client): AsyncGenerator<ReadBatch> {
  for (let last = 0; ; ) {
    const { rows } = await client.query(
      `select *, date < now() - interval '13 months' as is_old from audit_batches
       where number > $1 order by number limit ${MAX_PAGE_ROWS}`,
      [last],
    );
    for (const { is_old: isOld, ...row } of rows) yield { ...toBatch(row), isOld };
    if (rows.length < MAX_PAGE_ROWS) return;
    last = Number(rows.at(-1).number);
  }
}

export async function verifySignatures(client: Client, { key, published }: AuditProof): Promise<Finding[]> {
  const heads = readHeadLines(published ?? '');
  const publishedSignatures = new Map(heads.map(({ number, signature }) => [number, signature]));
  const unsigned: string[] = [];
  const unpublished: string[] = [];
  let count = 0;
  let last: ReadBatch | undefined;
  for await (const batch of readBatches(client)) {
    const { number, previous, signature } = batch;
    count++;
    if (!isSigned(key, batch)) unsigned.push(`batch ${number} has a wrong signature`);
    // The batches before the retention are deleted, except those that prove a checkpoint.
    else if (!batch.isOld && (number !== (last?.number ?? 0) + 1 || previous !== (last?.signature ?? '')))
      unsigned.push(`batch ${number} does not continue batch ${last?.number ?? 0}`);
    const expected = publishedSignatures.get(number);
    if (expected !== undefined && expected !== signature) unpublished.push(`head ${number} was published differently`);
    last = batch;
  }
  for (const { number } of heads)
    if (number > (last?.number ?? 0)) unpublished.push(`head ${number} was published, but is missing`);
  const findings = [{ title: 'audit log batches are signed', count, differences: unsigned }];
  if (published === undefined) return findings;
  return [
    ...findings,
    { title: 'published heads of the audit log exist', count: heads.length, differences: unpublished },
  ];
}
