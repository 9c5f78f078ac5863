import type { FastifyRequest } from 'fastify';
import { createContext, type ServerDependencies } from '../../api/request';
import type { Context } from '../../schema/operation/context';

/** The context of a form on a page: the payer has no rights beyond the page. */
export function payerContext(
  dependencies: ServerDependencies,
  request: FastifyRequest,
  merchant_id: string,
  isSuspended = false,
): Context {
  const { environment } = dependencies;
  const rights = { isReadOnly: true, isSuspended, role: undefined };
  const holder = { merchant_id, kind: 'public', key: '', key_id: '', environment, addresses: [], rights } as const;
  return { ...createContext(dependencies, request, holder), actor: { kind: 'payer', id: null } };
}
