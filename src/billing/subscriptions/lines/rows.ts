/** The stored lines of histories. */
import { batched, groupBy } from '../../../platform/database/batch';
import type { Database } from '../../../platform/database/connection';
import type { SubscriptionRow } from '../rows';
import type { HistoryLine } from './events';

interface LinesRequest {
  id: string;
  limit: number;
  offset: number;
  /** Only lines before this one. */
  before?: number | undefined;
}
const keyOf = ({ id, limit, offset, before }: LinesRequest): string => `${id} ${limit} ${offset} ${before}`;

/** The latest lines of many subscriptions, oldest first, by one statement. */
export const linesOf = batched(
  async (db, wanted: readonly LinesRequest[]) => {
    const requests = [...new Map(wanted.map(request => [keyOf(request), request])).values()];
    const rows = await db.$queryRaw<(HistoryLine & { id: bigint; request_key: string })[]>`
      select request_key, line.* from unnest(${requests.map(keyOf)}::text[], ${requests.map(({ id }) => id)}::varchar[],
          ${requests.map(({ limit }) => limit)}::integer[], ${requests.map(({ offset }) => offset)}::integer[],
          ${requests.map(({ before = Number.MAX_SAFE_INTEGER }) => before)}::bigint[])
            as requested (request_key, subscription_id, limit_to, skipped, before),
        lateral (select * from subscription_lines where subscription_id = requested.subscription_id and id < requested.before
          order by id desc limit requested.limit_to offset requested.skipped) line
      order by line.id`;
    const linesByRequest = groupBy(rows, ({ request_key }) => request_key);
    return requests.map(request => ({ id: keyOf(request), lines: linesByRequest.get(keyOf(request)) ?? [] }));
  },
  keyOf,
  1000,
);

const MAX_RECENT_LINES = 12;
/** The recent history of a subscription with an unpaid period, which explains why it is unpaid. */
export const declinesOf = async (
  db: Database,
  { id, status }: Pick<SubscriptionRow, 'id' | 'status'>,
): Promise<HistoryLine[]> =>
  status === 'past_due' || status === 'unpaid'
    ? ((await linesOf(db, { id, limit: MAX_RECENT_LINES, offset: 0 }))?.lines ?? [])
    : [];
