/** The error object, with the whole table of errors in it. */
import { ERRORS } from '../../../platform/errors';
import type { Json } from './json';

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

const codes = distinct(ERRORS.map(({ code }) => code)).map(code => {
  const rows = ERRORS.filter(row => row.code === code);
  const statuses = rows.map(({ status }) => status).join(' or ');
  return { const: code, title: rows[0]?.text, description: `HTTP ${statuses}, category ${rows[0]?.category}` };
});

export const errorSchemas: Record<string, Json> = {
  ErrorCode: { type: 'integer', description: 'What went wrong', oneOf: codes },
  Error: {
    type: 'object',
    required: ['category', 'error_code', 'description', 'http_code', 'request_id'],
    properties: {
      category: {
        type: 'string',
        enum: distinct(ERRORS.map(({ category }) => category)),
        description: 'request: because of what was sent; gateway: money could not be moved; internal: our fault',
      },
      error_code: { $ref: '#/components/schemas/ErrorCode' },
      description: { type: 'string', description: 'The same in words' },
      http_code: {
        type: 'integer',
        enum: distinct(ERRORS.map(({ status }) => status)).sort((a, b) => a - b),
        description: 'The HTTP status',
      },
      request_id: { type: 'string', format: 'uuid', description: 'Also in the Request-Id header' },
      field: { type: 'string', description: 'The member that the description is about, where one is at fault' },
      fields: {
        type: 'array',
        description: 'Everything that is wrong with the form of the request; the first is field',
        items: {
          type: 'object',
          required: ['field', 'description'],
          properties: {
            field: { type: 'string', description: 'Its path, as customer.email' },
            description: { type: 'string', description: 'What is wrong with it' },
          },
        },
      },
      fraud_rules: {
        type: 'array',
        items: { type: 'string' },
        description: 'The rules of the fraud system that matched; there only where some did',
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
