/** Settlement reports signed by the acquirer: each part is stored, and a workflow matches the whole report. */
import type { FastifyInstance } from 'fastify';
import { readReportPart } from '../../gateway/acquirer/settlementReport';
import { receivePart } from '../../payments/settlements/rows';
import { parseJson } from '../json';
import { rejectOtherMethods } from '../methodNotAllowed';
import type { ServerDependencies } from '../request';
import { readSigned } from './signed';

export const SETTLEMENT_REPORTS = '/notifications/settlement';

const MAX_PART_BYTES = 2 * 1024 * 1024;

export function addSettlementReports(server: FastifyInstance, dependencies: ServerDependencies): void {
  const { db, acquirerKey, environment } = dependencies;
  server.post(SETTLEMENT_REPORTS, { bodyLimit: MAX_PART_BYTES }, async (request, reply) => {
    const body = readSigned(acquirerKey, request);
    await receivePart(db, environment, readReportPart(parseJson(Buffer.from(body))));
    return reply.status(204).send();
  });
  rejectOtherMethods(server, SETTLEMENT_REPORTS, ['POST']);
}
