import { SettlementDifference, SettlementReport } from '../../payments/settlements/reportFields';
import { listDifferences, listReports, reportsWhere } from '../../payments/settlements/reports';
import { REPORT_STATUSES } from '../../payments/settlements/rows';
import { MAX_LISTED, type OperatorCommand, oneOf } from './command';

const REPORT_COLUMNS = ['id', 'environment', 'day', 'reference', 'status', 'count', 'matched', 'differing', 'reason'];
const DIFFERENCE_COLUMNS = ['line', 'result', 'merchant_id', 'type', 'key', 'date', 'amount', 'expected'];

export const settlementCommands: Readonly<Record<string, OperatorCommand>> = {
  settlements: {
    about: 'lists settlement reports of the acquirers, newest first',
    takes: ['status'],
    columns: REPORT_COLUMNS,
    run: async ({ db, options }) => {
      const status = oneOf('status', options.status, REPORT_STATUSES);
      const page = { ...(status && { status }), offset: 0, limit: MAX_LISTED };
      return { type: SettlementReport, records: await listReports(db, reportsWhere(page), { take: MAX_LISTED }) };
    },
  },
  differences: {
    about: 'lists what of a settlement report differs from the books',
    takesId: true,
    columns: DIFFERENCE_COLUMNS,
    run: async ({ db, id }) => ({
      type: SettlementDifference,
      records: await listDifferences(db, id, { take: MAX_LISTED }),
    }),
  },
};
