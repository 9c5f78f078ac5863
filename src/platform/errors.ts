/**
 * Every error a client can get, one row each: code, HTTP status, category, text, and the field if it is always the same
 * one. No other file decides on a status.
 */
import { GraphQLError } from 'graphql';

type Category = 'request' | 'internal' | 'gateway';
type ErrorRow = readonly [code: number, status: number, Category, text: string, field?: string];

const table = {
  internal: [1000, 500, 'internal', 'Internal server error'],
  malformed: [1001, 400, 'request', 'The request is not valid JSON, or a field is missing or has the wrong format'],
  not_authenticated: [1002, 401, 'request', 'The API key is missing or not valid'],
  invalid_value: [1003, 422, 'request', 'One or more parameters have a value that is not accepted'],
  unavailable: [1004, 503, 'internal', 'A service that is needed to process the request is not available'],
  not_found: [1005, 404, 'request', 'The requested resource does not exist'],
  method_not_allowed: [1005, 405, 'request', 'The requested resource does not take this method'],
  order_id_exists: [1006, 409, 'request', 'A transaction with this order_id already exists', 'order_id'],
  transfer_refused: [1007, 402, 'gateway', 'The transfer of funds was not accepted'],
  suspended: [1008, 423, 'request', 'The merchant is suspended: it can read, but nothing that moves money'],
  too_large: [1009, 413, 'request', 'The request body is too large'],
  private_key_needed: [1010, 403, 'request', 'This call needs the private key, and not from a browser'],
  too_many: [1011, 429, 'request', 'There were too many requests of this kind'],
  card_exists: [2002, 409, 'request', 'This card is already registered for the customer'],
  external_id_exists: [2003, 409, 'request', 'A customer with this external_id already exists', 'external_id'],
  wrong_check_digit: [2004, 422, 'request', 'The check digit of the card number is not valid', 'card_number'],
  expiration_in_past: [2005, 400, 'request', 'The expiration date of the card has passed', 'expiration_year'],
  cvv2_missing: [2006, 400, 'request', 'The security code (cvv2) of the card was not given', 'cvv2'],
  test_number: [2007, 412, 'request', 'This is a test number, which works in the sandbox only', 'card_number'],
  wrong_cvv2: [2009, 412, 'request', 'The security code (cvv2) of the card is not valid', 'cvv2'],
  declined: [3001, 402, 'gateway', 'The card was declined'],
  card_expired: [3002, 402, 'gateway', 'The card has expired'],
  insufficient_funds: [3003, 402, 'gateway', 'The card has not enough funds'],
  card_stolen: [3004, 402, 'gateway', 'The card was reported stolen'],
  fraud: [3005, 402, 'gateway', 'The card was rejected by the fraud system'],
  not_allowed: [3006, 412, 'gateway', 'The operation is not allowed for this customer or this transaction'],
  not_online: [3008, 412, 'gateway', 'The card cannot be used online'],
  card_lost: [3009, 402, 'gateway', 'The card was reported lost'],
  card_restricted: [3010, 402, 'gateway', 'The bank has restricted the card'],
  card_retained: [3011, 402, 'gateway', 'The bank asks to retain the card'],
  bank_authorization: [3012, 412, 'gateway', 'The payment needs an authorization from the bank'],
  insufficient_balance: [4001, 412, 'request', 'The account has not enough funds'],
} as const satisfies Record<string, ErrorRow>;

export type ErrorKind = keyof typeof table;

/** The whole table, for the documents. */
export const ERRORS = (Object.keys(table) as ErrorKind[]).map(kind => {
  const [code, status, category, text] = table[kind];
  return { kind, code, status, category, text };
});

/** What is wrong with one member of a request. */
export interface FieldProblem {
  /** Its path, as `customer.email`. */
  field: string;
  description: string;
}

/** The specification's error object. */
export interface ErrorBody {
  category: Category;
  error_code: number;
  description: string;
  http_code: number;
  request_id: string;
  /** Only where something that was sent is at fault. */
  field?: string;
  fields?: readonly FieldProblem[];
  /** Only where fraud rules matched. */
  fraud_rules?: readonly string[];
}

/** The name of an error that was stored by its code. */
export const errorKindOf = (code: number): ErrorKind =>
  (Object.keys(table) as ErrorKind[]).find(name => table[name][0] === code) ?? 'internal';

export const errorCodeOf = (name: ErrorKind): number => table[name][0];

/** They pass by themselves: the same request may succeed a little later. */
const retryableKinds: readonly ErrorKind[] = ['unavailable'];

/** No outcome of the work: it was not begun, or nobody knows how it ended. */
const unfinishedKinds: readonly ErrorKind[] = [
  'internal',
  'unavailable',
  'not_authenticated',
  'suspended',
  'private_key_needed',
  'too_many',
];

/** Of an error that was stored by its code; null where there was none. */
export const isRetryable = (code: number | null): boolean =>
  code !== null && retryableKinds.includes(errorKindOf(code));

interface ErrorFacts {
  /** The path of the input that is wrong, as `customer.email`. */
  field?: string | undefined;
  /** What is wrong with that field: words that follow its name in the description. */
  problem?: string;
  description?: string;
  /** What is wrong besides. */
  others?: readonly FieldProblem[];
  fraud_rules?: readonly string[] | undefined;
  /** Seconds after which a repeat can help. */
  retry_after?: number | undefined;
}

/**
 * Also a GraphQL error, so that both APIs respond alike: GraphQL shows its extensions, REST its body. What programs ask
 * is a property, so that nobody reads it out of the text.
 */
export class ApiError extends GraphQLError {
  readonly error_code: number;
  readonly http_code: number;
  readonly category: Category;
  readonly field: string | undefined;
  /** Everything that is wrong; the first is what the error itself says. */
  readonly fields: readonly FieldProblem[];
  readonly fraud_rules: readonly string[] | undefined;
  /** What the HTTP response says besides. */
  readonly headers: Record<string, string>;
  /** Whether repeating the same request can help. */
  readonly retryable: boolean;
  /** Whether it is an outcome of the work. A repeat with the same Idempotency-Key gets it again only then. */
  readonly final: boolean;

  /** A text alone describes the error. */
  constructor(
    readonly kind: ErrorKind,
    said: string | ErrorFacts = {},
  ) {
    const row: ErrorRow = table[kind];
    const [error_code, http_code, category, text, usualField] = row;
    const {
      field = usualField,
      problem,
      others = [],
      fraud_rules,
      retry_after,
      description = problem === undefined ? text : `${field} ${problem}`,
    } = typeof said === 'string' ? { description: said } : said;
    const fields = field === undefined ? [] : [{ field, description }, ...others];
    const details = {
      ...(field === undefined ? {} : { field, fields }),
      ...(fraud_rules ? { fraud_rules } : {}),
      ...(retry_after === undefined ? {} : { retry_after }),
    };
    super(description, { extensions: { code: kind, error_code, http_code, category, ...details } });
    this.error_code = error_code;
    this.http_code = http_code;
    this.category = category;
    this.field = field;
    this.fields = fields;
    this.fraud_rules = fraud_rules;
    this.headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
    this.retryable = retryableKinds.includes(kind);
    this.final = !unfinishedKinds.includes(kind);
  }

  /** The same of another kind. */
  as(kind: ErrorKind): ApiError {
    return new ApiError(kind, { field: this.field, description: this.message, others: this.fields.slice(1) });
  }

  /** The same, which also names what other errors are about, each field once. */
  with(others: readonly ApiError[]): ApiError {
    const all = [...this.fields, ...others.flatMap(({ fields }) => fields)];
    const distinct = all.filter(({ field }, i) => all.findIndex(each => each.field === field) === i);
    return new ApiError(this.kind, { field: this.field, description: this.message, others: distinct.slice(1) });
  }

  body(request_id: string): ErrorBody {
    const { category, error_code, message: description, http_code, field, fields, fraud_rules } = this;
    return {
      ...{ category, error_code, description, http_code, request_id },
      ...(field === undefined ? {} : { field, fields }),
      ...(fraud_rules ? { fraud_rules } : {}),
    };
  }

  /** The response body in GraphQL's format. */
  graphqlBody(request_id: string): object {
    return { errors: [{ message: this.message, extensions: { ...this.extensions, request_id } }] };
  }
}
