/** The OpenAPI document as a contract: the requests that it allows, and differences between responses and the document. */
import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import type { ApiResponse } from '../servers/api';
import type { Received } from '../webhooks/endpoint';
import { Sampler, type Schema } from './sampler';

export interface DocumentedOperation {
  method: string;
  /** The path in the document, without the prefix of the merchant. */
  path: string;
  operation: Schema;
}

const PREFIX = '/v1/{merchant_id}';

export class Contract {
  readonly sampler: Sampler;

  constructor(readonly document: Schema) {
    this.sampler = new Sampler(document);
  }

  operations(): DocumentedOperation[] {
    return Object.entries(this.document.paths as Record<string, Schema>).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Schema>).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: path.slice(PREFIX.length),
        operation,
      })),
    );
  }

  /** Request bodies that an operation accepts; undefined if it has no body. */
  bodiesOf({ operation }: DocumentedOperation): Arbitrary<unknown> | undefined {
    const schema = operation.requestBody?.content['application/json'].schema;
    return schema && this.sampler.valuesOf(schema);
  }

  /** Queries that an operation accepts. */
  queriesOf({ operation }: DocumentedOperation): Arbitrary<Record<string, unknown>> {
    const filters = operation.parameters.filter((each: Schema) => each.in === 'query');
    const parts = filters.map(({ name, schema }: Schema) => [name, this.sampler.valuesOf(schema)]);
    const requiredKeys = filters.filter(({ required }: Schema) => required).map(({ name }: Schema) => name);
    return fc.record(Object.fromEntries(parts), { requiredKeys, noNullPrototype: true });
  }

  /** Differences between a response and the document. */
  differences({ operation }: DocumentedOperation, { status, headers, body }: ApiResponse): string[] {
    const documented = operation.responses[status] ?? operation.responses.default;
    const { content, headers: documentedHeaders } = this.sampler.resolved(documented);
    const schema = content?.['application/json'].schema;
    const optional = ['Idempotent-Replayed'];
    const missing = Object.keys(documentedHeaders).filter(name => !headers.has(name) && !optional.includes(name));
    return [
      ...missing.map(name => `${name} is missing`),
      ...(schema ? this.sampler.differences(schema, body) : body === undefined ? [] : ['there is a body']),
    ];
  }

  /** Differences between a webhook message and the document. */
  messageDifferences({ body, headers }: Received): string[] {
    const { requestBody, parameters } = this.document.webhooks[body.type].post;
    const { schema } = requestBody.content[headers['content-type'] as string];
    const said: Schema[] = parameters.map((each: object) => this.sampler.resolved(each));
    return [
      ...this.sampler.differences(schema, body),
      ...said.flatMap(({ name, schema }) => this.sampler.differences(schema, headers[name.toLowerCase()])),
    ];
  }
}
