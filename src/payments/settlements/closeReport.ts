import type { Prisma } from '../../../prisma/generated/client';
import { recordResults } from './matching/rows';

/** How many items of a report match, for itself and in a sentence. */
export async function closeReport(db: Prisma.TransactionClient, id: string): Promise<string> {
  const { matched = 0, differing = 0 } = (await recordResults(db, id)) ?? {};
  const rest = differing === 0 ? 'nothing differs' : `${written(differing)} ${differing === 1 ? 'differs' : 'differ'}`;
  return `matched ${written(matched)} ${matched === 1 ? 'item' : 'items'}, ${rest}`;
}

const written = (number: number): string => number.toLocaleString('en-US');
