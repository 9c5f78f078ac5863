/** Types and lookups of the OpenAPI document for the reference pages. */
import type { Environment } from '../../../prisma/generated/enums';
import { openapi } from '../../api/rest/openapi';

export interface ReferenceSchema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, ReferenceSchema>;
  required?: string[];
  items?: ReferenceSchema;
  oneOf?: ReferenceSchema[];
  anyOf?: ReferenceSchema[];
  allOf?: ReferenceSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  examples?: unknown[];
  additionalProperties?: ReferenceSchema | boolean;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: ReferenceSchema;
}

interface DocumentedAnswer {
  $ref?: string;
  description: string;
  content?: Record<string, { schema: ReferenceSchema }>;
}

interface DocumentOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: ReferenceSchema }> };
  responses: Record<string, DocumentedAnswer>;
}

interface OpenapiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentOperation>>;
  webhooks: Record<string, { post: DocumentOperation }>;
  components: Record<string, Record<string, unknown>>;
}

/** An operation with its references resolved. */
export interface ReferenceOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  tag: string;
  takesPublicKey: boolean;
  /** The GraphQL field of the same operation. */
  field: string;
  parameters: Parameter[];
  body: { required: boolean; schema: ReferenceSchema } | undefined;
  answers: [status: string, DocumentedAnswer][];
}

export class ApiReference {
  private readonly document: OpenapiDocument;
  readonly operations: readonly ReferenceOperation[];
  readonly isSandbox: boolean;

  constructor(environment: Environment) {
    this.isSandbox = environment === 'sandbox';
    this.document = openapi(environment) as unknown as OpenapiDocument;
    this.operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.operationOf(method, path, operation)),
    );
  }

  get tags(): { name: string; description: string }[] {
    return this.document.tags;
  }

  operationsOf(tag: string): ReferenceOperation[] {
    return this.operations.filter(operation => operation.tag === tag);
  }

  /** Event types with description and schema. */
  get events(): { type: string; occasion: string; schema: ReferenceSchema }[] {
    return Object.entries(this.document.webhooks).map(([type, { post }]) => ({
      type,
      occasion: post.summary,
      schema: post.requestBody?.content['application/json']?.schema.allOf?.[0] ?? {},
    }));
  }

  schema(name: string): ReferenceSchema {
    return (this.document.components.schemas?.[name] ?? {}) as ReferenceSchema;
  }

  resolve<T extends { $ref?: string }>(part: T): T {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(part.$ref ?? '') ?? [];
    return kind ? (this.document.components[kind]?.[name] as T) : part;
  }

  private operationOf(method: string, path: string, operation: DocumentOperation): ReferenceOperation {
    const {
      operationId: id,
      summary,
      description,
      tags,
      security = [],
      parameters,
      requestBody,
      responses,
    } = operation;
    const schema = requestBody?.content['application/json']?.schema;
    return {
      id,
      method: method.toUpperCase(),
      path,
      summary,
      description,
      field: id.replace(/Of(Customer|Plan)$/, ''),
      tag: tags[0] ?? '',
      takesPublicKey: security.some(scheme => 'public_key' in scheme),
      parameters: parameters.map(parameter => this.resolve(parameter)),
      body: requestBody && schema ? { required: requestBody.required, schema } : undefined,
      answers: Object.entries(responses).map(([status, answer]) => [status, this.resolve(answer)]),
    };
  }
}

export const nameOfReference = ({ $ref }: ReferenceSchema): string | undefined => $ref?.split('/').at(-1);

/** Removes null from a schema. */
export function withoutNull(schema: ReferenceSchema): ReferenceSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  return only && others.length === 1
    ? { ...only, ...(schema.description && { description: schema.description }) }
    : schema;
}

export const mayBeNull = ({ type, anyOf }: ReferenceSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || Boolean(anyOf?.some(each => each.type === 'null'));
