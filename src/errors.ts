/** Every error a client can get, one row each: code, HTTP status, category, text. Nothing else in the program knows a status. */
import { GraphQLError } from 'graphql';

type Category = 'request' | 'internal' | 'gateway';

const table = {
  internal: [1000, 500, 'internal', 'Internal server error'],
  malformed: [1001, 400, 'request', 'The request is not valid JSON, or a field is missing or has the wrong format'],
  not_authenticated: [1002, 401, 'request', 'The API key is missing or not valid'],
  invalid_value: [1003, 422, 'request', 'One or more parameters have a value that is not accepted'],
  unavailable: [1004, 503, 'internal', 'A service that is needed to process the request is not available'],
  not_found: [1005, 404, 'request', 'The requested resource does not exist'],
  method_not_allowed: [1005, 405, 'request', 'The requested resource does not take this method'],
  too_large: [1009, 413, 'request', 'The request body is too large'],
  private_key_needed: [1010, 403, 'request', 'This call needs the private key, and not from a browser'],
  external_id_exists: [2003, 409, 'request', 'A customer with this external_id already exists'],
  not_allowed: [3006, 412, 'request', 'The operation is not allowed for this customer or this transaction'],
} as const satisfies Record<string, readonly [code: number, status: number, Category, text: string]>;

export type ErrorName = keyof typeof table;

/** The specification's error object. */
export interface ErrorBody {
  category: Category;
  error_code: number;
  description: string;
  http_code: number;
  request_id: string;
}

/** A GraphQL error too, so that both doors answer the same: Apollo shows its extensions, REST its body. */
export class ApiError extends GraphQLError {
  readonly error_code: number;
  readonly http_code: number;
  readonly category: Category;

  constructor(
    readonly kind: ErrorName,
    description?: string,
  ) {
    const [error_code, http_code, category, text] = table[kind];
    super(description ?? text, { extensions: { error_code, http_code, category } });
    this.error_code = error_code;
    this.http_code = http_code;
    this.category = category;
  }

  body(request_id: string): ErrorBody {
    const { category, error_code, message: description, http_code } = this;
    return { category, error_code, description, http_code, request_id };
  }

  /** The same in the form of GraphQL. */
  graphqlBody(request_id: string): object {
    return { errors: [{ message: this.message, extensions: { ...this.extensions, request_id } }] };
  }
}
