/**
 * Signed batches of the audit log. A batch contains the newest hash of each of its chains and the signature of the batch
 * before, so the newest signature covers the whole log. A copy of it outside the database proves that nothing was deleted.
 */
import { createHmac } from 'node:crypto';
import type { AuditBatchModel } from '../../../prisma/generated/models';

export type Head = [chain: string, number: number, hash: string];

interface UnsignedBatch {
  number: number;
  date: Date;
  heads: Head[];
  /** The signature of the batch before, or empty. */
  previous: string;
}

export interface AuditBatch extends UnsignedBatch {
  signature: string;
}

const signatureOf = (key: Buffer, { number, date, heads, previous }: UnsignedBatch): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([number, date.toISOString(), heads, previous]))
    .digest('hex');

export const signBatch = (key: Buffer, batch: UnsignedBatch): AuditBatch => ({
  ...batch,
  signature: signatureOf(key, batch),
});

export const isSigned = (key: Buffer, batch: AuditBatch): boolean => signatureOf(key, batch) === batch.signature;

export const toBatch = ({ number, heads, ...row }: AuditBatchModel): AuditBatch => ({
  ...row,
  number: Number(number),
  heads: heads as Head[],
});

const HEAD_LINE = /audit log: head: (\d+) \S+ ([0-9a-f]{64})/g;

export const headLine = ({ number, date, signature }: AuditBatch): string =>
  `audit log: head: ${number} ${date.toISOString()} ${signature}`;

/** The published heads in any text, such as the log of a worker. */
export const readHeadLines = (text: string): { number: number; signature: string }[] =>
  Array.from(text.matchAll(HEAD_LINE), ([, number, signature = '']) => ({ number: Number(number), signature }));
