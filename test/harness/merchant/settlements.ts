/** Settlement reports as an acquirer sends them, and their matching step by step, without Temporal. */

import { SETTLEMENT_REPORTS } from '../../../src/api/notifications/settlement';
import type { ReportedItem, ReportPart } from '../../../src/gateway/acquirer/settlementReport';
import { sign } from '../../../src/gateway/acquirer/signature';
import { settlementActivities } from '../../../src/payments/settlements/activities';
import { type ApiResponse, sendRequest, type testApi } from '../servers/api';
import { secrets } from '../world/secrets';

let reportCount = 0;

export function testSettlements(api: ReturnType<typeof testApi>) {
  const db = () => api.database.db();
  const send = (report: unknown, signature?: string, origin = api.origin()): Promise<ApiResponse> => {
    const body = typeof report === 'string' ? report : JSON.stringify(report);
    const headers = { signature: signature ?? sign(secrets.ACQUIRER_KEY, body) };
    return sendRequest(`${origin}${SETTLEMENT_REPORTS}`, 'POST', { body, headers });
  };
  const item = (key: string, amount: number, more: Partial<ReportedItem> = {}): ReportedItem => ({
    merchant: api.merchants().own.id,
    type: 'charge',
    key,
    amount: Math.round(amount * 100),
    date: '2026-11-16T12:00:00Z',
    ...more,
  });
  /** A report in one part with a correct count and total. */
  const reportOf = (items: ReportedItem[], more: Partial<ReportPart> = {}): ReportPart => ({
    id: `report-${api.merchants().own.id}-${++reportCount}`,
    day: '2026-11-16',
    part: 1,
    parts: 1,
    count: items.length,
    total: items.reduce((sum, { amount }) => sum + amount, 0),
    items,
    ...more,
  });
  const reportRow = (reference: string) => db().settlementReport.findFirstOrThrow({ where: { reference } });
  /** Matches a complete report as the workflow does. Returns the result, or the reason for its refusal. */
  const match = async (reference: string): Promise<string> => {
    const { id } = await reportRow(reference);
    const steps = settlementActivities(db());
    const checked = await steps.checkSums(id);
    if ('refused' in checked) return checked.refused;
    while ((await steps.matchItems(id, true)).isMore);
    while (await steps.tellMerchants(id));
    return steps.closeReport(id);
  };
  const itemsOf = async (reference: string) => {
    const { id: report_id } = await reportRow(reference);
    return db().settlementItem.findMany({ where: { report_id }, orderBy: { line: 'asc' } });
  };
  return {
    send,
    item,
    reportOf,
    reportRow,
    match,
    /** Sends the report and matches it. */
    settle: async (items: ReportedItem[], more: Partial<ReportPart> = {}): Promise<string> => {
      const report = reportOf(items, more);
      expect((await send(report)).status).toBe(204);
      return match(report.id);
    },
    itemsOf,
    resultsOf: async (reference: string) => (await itemsOf(reference)).map(({ result }) => result),
    isConciliated: async (id: string): Promise<boolean> => (await api.rest('GET', `/charges/${id}`)).body.conciliated,
  };
}
