import {
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SettlementActivities } from './contract';
import { nudge } from './nudge';
import { MerchantIdAttribute } from './operating/attributes';

const { collectParts, checkSums, matchItems, tellMerchants, closeReport } = proxyActivities<SettlementActivities>({
  startToCloseTimeout: '2 minutes',
  // Without a limit: a database that is down is waited for.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Between two looks at what nobody announces. */
const PARTS_PAUSE_MS = 3_600_000;
const UNFINISHED_PAUSES_MS = [2_000, 10_000, 60_000, 600_000, 3_600_000];

/** One report: all parts, its sums, its items, and what merchants are told. Its result says how many match. */
export async function settlement(id: string): Promise<string> {
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (;;) {
    nudged = false;
    const { missing } = await collectParts(id);
    if (missing.length === 0) break;
    const waits = `waits for ${nameParts(missing)} of the acquirer`;
    setCurrentDetails(`The report ${waits}.`);
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof settlement>(id);
    await condition(() => nudged, PARTS_PAUSE_MS, { summary: waits });
  }
  const report = await checkSums(id);
  if ('refused' in report) {
    setCurrentDetails(`The report is refused: ${report.refused} Nothing of it was settled.`);
    throw ApplicationFailure.nonRetryable(report.refused, 'refused');
  }
  if (report.merchant_id) upsertSearchAttributes([{ key: MerchantIdAttribute, value: report.merchant_id }]);
  for (let pauses = 0; ; ) {
    const isEnd = pauses === UNFINISHED_PAUSES_MS.length;
    const { isMore, waiting } = await matchItems(id, isEnd);
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof settlement>(id);
    if (isMore) continue;
    if (waiting === 0) break;
    const waits = `${waiting} items wait for transactions that are not finished here`;
    setCurrentDetails(`${waits}.`);
    await condition(() => nudged, UNFINISHED_PAUSES_MS[pauses++] ?? 0, { summary: waits });
    nudged = false;
  }
  while (await tellMerchants(id));
  const result = await closeReport(id);
  setCurrentDetails(`${result}.`);
  return result;
}

/** At most so many are named. */
const MAX_NAMED_PARTS = 10;

function nameParts(missing: number[]): string {
  const named = missing.slice(0, MAX_NAMED_PARTS);
  const others = missing.length - named.length;
  const last = others > 0 ? `${others} others` : named.pop();
  return `${missing.length === 1 ? 'part' : 'parts'} ${named.length > 0 ? `${named.join(', ')} and ` : ''}${last}`;
}
