/** Operators of every role, and a merchant that requests to go live. */

import { createMerchant } from '../../../src/accounts/merchants/accounts';
import { newKey } from '../../../src/accounts/merchants/keys';
import { createOperatorKey } from '../../../src/operations/operators/keys';
import { newId } from '../../../src/platform/identifiers';
import { OPERATOR_ROLES, type OperatorRole } from '../../../src/schema/operation/context';
import { type ApiResponse, sendRequest, type testApi } from '../servers/api';

export const business = {
  legal_name: 'Tienda S.A.S.',
  nit: '900123456-8',
  representative: { name: 'María Gómez', document: '52123456', email: 'maria@tienda.co', phone: '300 123 4567' },
  bank_account: { bank: 'Bancolombia', type: 'savings', number: '123-456789-01' },
  website: 'https://tienda.co',
  expected_monthly_volume: 50_000_000,
  support_email: 'ayuda@tienda.co',
  support_phone: '(601) 123 4567',
};

/** Every field of a request to go live. */
export const REQUEST = `{ id merchant_id status url reason submitted_at decided_at production_merchant_id keys_collected_at
  business { legal_name nit website expected_monthly_volume support_email support_phone
    representative { name document email phone } bank_account { bank type number } } }`;

export function testOperators(api: ReturnType<typeof testApi>) {
  const keys = {} as Record<OperatorRole, { id: string; key: string }>;
  beforeAll(async () => {
    for (const role of OPERATOR_ROLES) {
      keys[role] = { id: newId('key'), key: newKey('operator') };
      const by = { actor: { kind: 'operator', id: 'test' } } as const;
      await createOperatorKey(api.database.db(), by, { name: role, role }, { ...keys[role], secret: api.secret });
    }
  });
  /** The first field of the response, or the whole response if it has errors; of operators or of a merchant. */
  const runAs = async (key: string, document: string, variables: object = {}, headers: Record<string, string> = {}) => {
    const body = { query: document, variables };
    const path = key.startsWith('ok_') ? '/operator/graphql' : '/graphql';
    const answer = await sendRequest(api.origin() + path, 'POST', { key, headers, body });
    return answer.body.errors ? answer : Object.values(answer.body.data)[0];
  };
  return {
    keys,
    /** The last entry of the audit log. */
    lastEntry: () => api.database.db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } }),
    /** Runs a document with the key of an operator. */
    // biome-ignore lint/suspicious/noExplicitAny: tests check its shape
    operate: (role: OperatorRole, document: string, variables: object = {}, headers = {}): Promise<any> =>
      runAs(keys[role].key, document, variables, headers),
    // biome-ignore lint/suspicious/noExplicitAny: tests check its shape
    runAs: (key: string, document: string, variables: object = {}, headers = {}): Promise<any> =>
      runAs(key, document, variables, headers),
    /** A sandbox merchant without a request to go live. */
    newMerchant: (name = 'Tienda') =>
      createMerchant(
        api.database.db(),
        { environment: 'sandbox', name, email: 'tienda@example.com', phone: '6011234567' },
        api.secret,
      ),
    requestLive: (key: string, request: object | null = business, headers = {}): Promise<ApiResponse> =>
      api.graphql(
        `mutation ($request: BusinessInput) { requestLive(request: $request) ${REQUEST} }`,
        { request },
        { key, headers },
      ),
  };
}
