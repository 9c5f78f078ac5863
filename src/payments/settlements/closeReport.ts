import type { Prisma } from '../../../prisma/generated/client';

/** Stores the number of matched and differing items, and returns them as a sentence. */
export async function closeReport(db: Prisma.TransactionClient, id: string): Promise<string> {
  const [report] = await db.$queryRaw<{ matched: number; differing: number }[]>`
    with items as (
      select count(*) filter (where result = 'matched')::integer as matched, count(*) filter (where result <> 'matched')::integer as differing
      from settlement_items where report_id = ${id}
    )
    update settlement_reports set status = case items.differing when 0 then 'matched' else 'differs' end, matched = items.matched,
      differing = items.differing, ended_at = coalesce(ended_at, now())
    from items where id = ${id} returning items.matched, items.differing`;
  const { matched = 0, differing = 0 } = report ?? {};
  const rest =
    differing === 0 ? 'nothing differs' : `${formatCount(differing)} ${differing === 1 ? 'differs' : 'differ'}`;
  return `matched ${formatCount(matched)} ${matched === 1 ? 'item' : 'items'}, ${rest}`;
}

const formatCount = (number: number): string => number.toLocaleString('en-US');
