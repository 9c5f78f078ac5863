import { SettlementDifference, SettlementReport } from '../../payments/settlements/reportFields';
import { listDifferences, listReports, reportsWhere } from '../../payments/settlements/reports';
import { REPORT_STATUSES } from '../../payments/settlements/rows';
import { MAX_LISTED, type OperatorCommand, oneOf } from './command';

const REPORT_COLUMNS = ['id', 'environment', 'day', 'reference', 'status', 'count', 'matched', 'differing', 'reason'];
const DIFFERENCE_COLUMNS = ['line', 'result', 'merchant_id', 'type', 'key', 'date', 'amount', 'expected'];

export const settlementCommands: Readonly<Record<string, OperatorCommand>> = {
  settlements: {
    summary: 'Lists settlement reports of the acquirers, newest first',
    optional: ['status'],
    columns: REPORT_COLUMNS,
    run: async ({ db, options }) => {
      const status = oneOf('status', options.status, REPORT_STATUSES);
      const page = { ...(status && { status }), offset: 0, limit: MAX_LISTED };
      return { type: SettlementReport, records: await listReports(db, reportsWhere(page), { take: MAX_LISTED }) };
    },
  },
  differences: {
    summary: 'Lists the items of a settlement report that differ from the ledger',
    hasId: true,
    columns: DIFFERENCE_COLUMNS,
    run: async ({ db, id }) => ({
      type: SettlementDifference,
      records: await listDifferences(db, id, { take: MAX_LISTED }),
    }),
  },
};
