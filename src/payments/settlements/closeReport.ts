import type { Prisma } from '../../../prisma/generated/client';
import { recordResults } from './matching/rows';

/** Stores the number of matched and differing items, and returns them as a sentence. */
export async function closeReport(db: Prisma.TransactionClient, id: string): Promise<string> {
  const { matched = 0, differing = 0 } = (await recordResults(db, id)) ?? {};
  const rest =
    differing === 0 ? 'nothing differs' : `${formatCount(differing)} ${differing === 1 ? 'differs' : 'differ'}`;
  return `matched ${formatCount(matched)} ${matched === 1 ? 'item' : 'items'}, ${rest}`;
}

const formatCount = (number: number): string => number.toLocaleString('en-US');
