import {
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SettlementActivities } from './contract';
import { nudge } from './nudge';
import { MerchantIdAttribute } from './operating/attributes';
import { showDetails } from './operating/showDetails';

const { collectParts, checkSums, matchItems, tellMerchants, closeReport } = proxyActivities<SettlementActivities>({
  startToCloseTimeout: '2 minutes',
  // No attempt limit: a database outage can be long.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Fallback pauses without a nudge. */
const PARTS_PAUSE_MS = 3_600_000;
const UNFINISHED_PAUSES_MS = [2_000, 10_000, 60_000, 600_000, 3_600_000];

/** Processes a settlement report: parts, sums, items and settlements. Returns the number of matched items as text. */
export async function settlement(id: string): Promise<string> {
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (;;) {
    nudged = false;
    const { missing } = await collectParts(id);
    if (missing.length === 0) break;
    const summary = `waiting for ${listParts(missing)} of the acquirer`;
    showDetails([`The report is ${summary}.`]);
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof settlement>(id);
    await condition(() => nudged, PARTS_PAUSE_MS, { summary });
  }
  const report = await checkSums(id);
  if ('refused' in report) {
    showDetails([`The report was refused: ${report.refused} No item was settled.`]);
    throw ApplicationFailure.nonRetryable(report.refused, 'refused');
  }
  if (report.merchant_id) upsertSearchAttributes([{ key: MerchantIdAttribute, value: report.merchant_id }]);
  for (let pauses = 0; ; ) {
    const isEnd = pauses === UNFINISHED_PAUSES_MS.length;
    const { isMore, waiting } = await matchItems(id, isEnd);
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof settlement>(id);
    if (isMore) continue;
    if (waiting === 0) break;
    const summary = `${waiting} items waiting for unfinished transactions`;
    showDetails([`${summary}.`]);
    await condition(() => nudged, UNFINISHED_PAUSES_MS[pauses++] ?? 0, { summary });
    nudged = false;
  }
  while (await tellMerchants(id));
  const result = await closeReport(id);
  showDetails([`${result}.`]);
  return result;
}

const MAX_LISTED_PARTS = 10;

function listParts(missing: number[]): string {
  const listed = missing.slice(0, MAX_LISTED_PARTS);
  const rest = missing.length - listed.length;
  const last = rest > 0 ? `${rest} more` : listed.pop();
  return `${missing.length === 1 ? 'part' : 'parts'} ${listed.length > 0 ? `${listed.join(', ')} and ` : ''}${last}`;
}
