/** The REST API at a glance: method, path below /v1/:merchant_id, the GraphQL field it is a door to, the argument that takes the body. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  field: string;
  body?: string;
  /** Answers 201 with Location and Resource-Id. */
  creates?: true;
}

type Row = readonly [Route['method'], path: string, field: string, body?: string, creates?: 'creates'];

const rows: readonly Row[] = [
  ['GET', '/', 'merchant'],

  ['POST', '/customers', 'createCustomer', 'customer', 'creates'],
  ['GET', '/customers', 'customers'],
  ['GET', '/customers/:customer_id', 'customer'],
  ['PUT', '/customers/:customer_id', 'updateCustomer', 'customer'],
  ['DELETE', '/customers/:customer_id', 'deleteCustomer'],
];

export const routes: readonly Route[] = rows.map(([method, path, field, body, creates]) => ({
  method,
  path,
  field,
  ...(body ? { body } : {}),
  ...(creates ? { creates: true } : {}),
}));
