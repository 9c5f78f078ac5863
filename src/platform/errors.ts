/**
 * Every error a client can get, one row each: code, HTTP status, category, and the field if it is always the same one.
 * No other file decides on a status. The texts are in the catalogue of problems, which has a row for each of these too.
 */
import { GraphQLError } from 'graphql';
import { describeProblem, type ParametersOf, type ProblemCode, type ProblemParameters } from './problems/catalogue';

type Category = 'request' | 'internal' | 'gateway';
type ErrorRow = readonly [code: number, status: number, Category, field?: string];

const table = {
  internal: [1000, 500, 'internal'],
  malformed: [1001, 400, 'request'],
  not_authenticated: [1002, 401, 'request'],
  invalid_value: [1003, 422, 'request'],
  unavailable: [1004, 503, 'internal'],
  not_found: [1005, 404, 'request'],
  method_not_allowed: [1005, 405, 'request'],
  order_id_exists: [1006, 409, 'request', 'order_id'],
  transfer_refused: [1007, 402, 'gateway'],
  suspended: [1008, 423, 'request'],
  too_large: [1009, 413, 'request'],
  private_key_needed: [1010, 403, 'request'],
  too_many: [1011, 429, 'request'],
  card_exists: [2002, 409, 'request'],
  external_id_exists: [2003, 409, 'request', 'external_id'],
  wrong_check_digit: [2004, 422, 'request', 'card_number'],
  expiration_in_past: [2005, 400, 'request', 'expiration_year'],
  cvv2_missing: [2006, 400, 'request', 'cvv2'],
  test_number: [2007, 412, 'request', 'card_number'],
  wrong_cvv2: [2009, 412, 'request', 'cvv2'],
  declined: [3001, 402, 'gateway'],
  card_expired: [3002, 402, 'gateway'],
  insufficient_funds: [3003, 402, 'gateway'],
  card_stolen: [3004, 402, 'gateway'],
  fraud: [3005, 402, 'gateway'],
  not_allowed: [3006, 412, 'gateway'],
  not_online: [3008, 412, 'gateway'],
  card_lost: [3009, 402, 'gateway'],
  card_restricted: [3010, 402, 'gateway'],
  card_retained: [3011, 402, 'gateway'],
  bank_authorization: [3012, 412, 'gateway'],
  insufficient_balance: [4001, 412, 'request'],
} as const satisfies Record<string, ErrorRow>;

export type ErrorKind = keyof typeof table;

export const ERRORS = (Object.keys(table) as ErrorKind[]).map(kind => {
  const [code, status, category] = table[kind];
  return { kind, code, status, category, text: describeProblem(kind) };
});

/** A problem with one member of a request, as REST clients get it. */
interface FieldDescription {
  /** The path of the member, such as `customer.email`. */
  field: string;
  description: string;
}

/** Text and code of a problem, as GraphQL clients get it. */
interface FieldProblem extends FieldDescription {
  problem: ProblemCode;
  parameters?: ProblemParameters;
}

/** The specification's error object. */
export interface ErrorBody {
  category: Category;
  error_code: number;
  description: string;
  http_code: number;
  request_id: string;
  /** Present if a request field is at fault. */
  field?: string;
  fields?: readonly FieldDescription[];
  /** Only where fraud rules matched. */
  fraud_rules?: readonly string[];
}

export const errorKindOf = (code: number): ErrorKind =>
  (Object.keys(table) as ErrorKind[]).find(name => table[name][0] === code) ?? 'internal';

export const errorCodeOf = (name: ErrorKind): number => table[name][0];

/** Temporary conditions: the same request may succeed later. */
const retryableKinds: readonly ErrorKind[] = ['unavailable'];

/** Not an outcome of the operation: it did not begin, or its result is unknown. */
const unfinishedKinds: readonly ErrorKind[] = [
  'internal',
  'unavailable',
  'not_authenticated',
  'suspended',
  'private_key_needed',
  'too_many',
];

/** `code` is a stored error code, or null if there was no error. */
export const isRetryable = (code: number | null): boolean =>
  code !== null && retryableKinds.includes(errorKindOf(code));

interface ErrorFacts {
  /** The path of the member that is wrong, such as `customer.email`. */
  field?: string | undefined;
  others?: readonly FieldProblem[];
  fraud_rules?: readonly string[] | undefined;
  /** Seconds after which a retry can succeed. */
  retry_after?: number | undefined;
}

type FactsOf<P extends ProblemCode> = [keyof ParametersOf<P>] extends [never]
  ? [facts?: ErrorFacts]
  : [facts: ErrorFacts & ParametersOf<P>];

/**
 * An error of one kind with the problem that caused it, by default the kind itself. Both APIs respond alike, because it
 * is also a GraphQL error: GraphQL shows its extensions, REST its body.
 */
export class ApiError<P extends ProblemCode = 'internal'> extends GraphQLError {
  readonly error_code: number;
  readonly http_code: number;
  readonly category: Category;
  readonly field: string | undefined;
  /** All invalid fields; the first one is that of the error itself. */
  readonly fields: readonly FieldProblem[];
  readonly fraud_rules: readonly string[] | undefined;
  /** Additional HTTP response headers. */
  readonly headers: Record<string, string>;
  /** Whether a retry of the same request can succeed. */
  readonly retryable: boolean;
  /** Whether it is an outcome of the operation, which a retry with the same Idempotency-Key receives again. */
  readonly final: boolean;

  readonly problem: ProblemCode;
  readonly parameters: ProblemParameters;

  constructor(
    readonly kind: ErrorKind,
    problem?: P,
    ...[facts]: FactsOf<P>
  ) {
    const row: ErrorRow = table[kind];
    const [error_code, http_code, category, usualField] = row;
    const { field = usualField, others = [], fraud_rules, retry_after, ...parameters }: ErrorFacts = facts ?? {};
    const found = { problem: problem ?? kind, ...(Object.keys(parameters).length > 0 && { parameters }) };
    const description = describeProblem(found.problem, { ...parameters, ...(field !== undefined && { field }) });
    const fields = field === undefined ? [] : [{ field, description, ...found }, ...others];
    const details = {
      ...found,
      ...(field === undefined ? {} : { field, fields }),
      ...(fraud_rules ? { fraud_rules } : {}),
      ...(retry_after === undefined ? {} : { retry_after }),
    };
    super(description, { extensions: { code: kind, error_code, http_code, category, ...details } });
    this.error_code = error_code;
    this.http_code = http_code;
    this.category = category;
    this.problem = found.problem;
    this.parameters = parameters;
    this.field = field;
    this.fields = fields;
    this.fraud_rules = fraud_rules;
    this.headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
    this.retryable = retryableKinds.includes(kind);
    this.final = !unfinishedKinds.includes(kind);
  }

  /** The same problem as an error of another kind, or with another field. */
  as(kind: ErrorKind, field = this.field, others = this.fields.slice(1)): ApiError {
    const facts: object = { ...this.parameters, field, others };
    return new ApiError(kind, this.problem as 'internal', facts);
  }

  /** The same error with the fields of other errors, each field once. */
  with(others: readonly ApiError[]): ApiError {
    const all = [...this.fields, ...others.flatMap(({ fields }) => fields)];
    const distinct = all.filter(({ field }, i) => all.findIndex(each => each.field === field) === i);
    return this.as(this.kind, this.field, distinct.slice(1));
  }

  body(request_id: string): ErrorBody {
    const { category, error_code, message: description, http_code, field, fraud_rules } = this;
    const fields = this.fields.map(({ field, description }) => ({ field, description }));
    return {
      ...{ category, error_code, description, http_code, request_id },
      ...(field === undefined ? {} : { field, fields }),
      ...(fraud_rules ? { fraud_rules } : {}),
    };
  }

  graphqlBody(request_id: string): object {
    return { errors: [{ message: this.message, extensions: { ...this.extensions, request_id } }] };
  }
}
