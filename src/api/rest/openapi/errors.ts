/** The schemas of errors and their codes. */
import { ERRORS } from '../../../platform/errors';
import type { Json } from './json';

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

const codes = distinct(ERRORS.map(({ code }) => code)).map(code => {
  const rows = ERRORS.filter(row => row.code === code);
  const statuses = rows.map(({ status }) => status).join(' or ');
  return { const: code, title: rows[0]?.text, description: `HTTP ${statuses}, category ${rows[0]?.category}` };
});

export const errorSchemas: Record<string, Json> = {
  ErrorCode: { type: 'integer', description: 'Error code', oneOf: codes },
  Error: {
    type: 'object',
    required: ['category', 'error_code', 'description', 'http_code', 'request_id'],
    properties: {
      category: {
        type: 'string',
        enum: distinct(ERRORS.map(({ category }) => category)),
        description: 'request: invalid request; gateway: failed payment; internal: server error',
      },
      error_code: { $ref: '#/components/schemas/ErrorCode' },
      description: { type: 'string', description: 'Description of the error' },
      http_code: {
        type: 'integer',
        enum: distinct(ERRORS.map(({ status }) => status)).sort((a, b) => a - b),
        description: 'HTTP status',
      },
      request_id: { type: 'string', format: 'uuid', description: 'Request ID, also in the Request-Id header' },
      field: { type: 'string', description: 'Path of the invalid field, if a field is at fault' },
      fields: {
        type: 'array',
        description: 'All invalid fields; the first one is field',
        items: {
          type: 'object',
          required: ['field', 'description'],
          properties: {
            field: { type: 'string', description: 'Path of the field, as customer.email' },
            description: { type: 'string', description: 'Description of the problem' },
          },
        },
      },
      fraud_rules: {
        type: 'array',
        items: { type: 'string' },
        description: 'Matched fraud rules; present if at least one matched',
      },
    },
    examples: [
      {
        category: 'request',
        error_code: 1001,
        description: 'name is required',
        http_code: 400,
        request_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
        field: 'name',
        fields: [
          { field: 'name', description: 'name is required' },
          { field: 'email', description: 'email is required' },
        ],
      },
    ],
  },
};
