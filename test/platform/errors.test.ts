/** Programs identify errors by their fields, never by their text. */
import { parseCard } from '../../src/payments/cardDetails/details';
import { ApiError, type ErrorKind, errorCodeOf, isRetryable } from '../../src/platform/errors';
import { describeProblem, PROBLEMS } from '../../src/platform/problems/catalogue';
import { toApiError } from '../../src/platform/toApiError';

const thrownBy = (action: () => unknown): unknown => {
  try {
    return action();
  } catch (error) {
    return error;
  }
};

it('an error describes an invalid field by its name and its problem', () => {
  const error = new ApiError('invalid_value', 'not_email', { field: 'customer.email' });
  expect([error.message, error.field]).toEqual(['customer.email must be an e-mail address', 'customer.email']);
  expect(error.body('r')).toEqual({
    category: 'request',
    error_code: 1003,
    description: 'customer.email must be an e-mail address',
    http_code: 422,
    request_id: 'r',
    field: 'customer.email',
    fields: [{ field: 'customer.email', description: 'customer.email must be an e-mail address' }],
  });
  const { field, fields } = error.body('r');
  expect(error.graphqlBody('r')).toMatchObject({ errors: [{ extensions: { field, fields } }] });
});

it('an error uses the text of its kind if no problem is given', () => {
  const { message, field } = new ApiError('unavailable');
  expect([message, field]).toEqual([
    'A required service is not responding: retry in a few seconds, with the same Idempotency-Key',
    undefined,
  ]);
  expect(new ApiError('not_found', 'no_workers').message).toBe('There are no workers');
  expect(new ApiError('invalid_value', 'cancelled_as_whole', { field: 'amount' })).toMatchObject({
    message: 'An authorization can only be cancelled in full',
    field: 'amount',
  });
});

it('an error returns GraphQL clients the problem and its parameters, and REST clients only the text', () => {
  const error = new ApiError('malformed', 'text_too_long', { field: 'name', max: 100 });
  const problem = { problem: 'text_too_long', parameters: { max: 100 } };
  const description = 'name must have at most 100 characters';
  expect(error.extensions).toMatchObject({ ...problem, fields: [{ field: 'name', description, ...problem }] });
  expect(error.body('r').fields).toEqual([{ field: 'name', description }]);
  expect(new ApiError('card_expired').extensions).toMatchObject({ code: 'card_expired', problem: 'card_expired' });
});

it('an error keeps its problem and parameters when its kind, field or additional errors change', () => {
  const error = new ApiError('malformed', 'text_too_long', { field: 'name', max: 100 });
  const other = error
    .as('invalid_value', 'owner.name')
    .with([new ApiError('malformed', 'is_required', { field: 'nit' })]);
  expect(other).toMatchObject({ kind: 'invalid_value', parameters: { max: 100 } });
  expect(other.fields.map(({ problem, description }) => [problem, description])).toEqual([
    ['text_too_long', 'owner.name must have at most 100 characters'],
    ['is_required', 'nit is required'],
  ]);
});

it('an error describes a problem in Spanish without its field', () => {
  expect(describeProblem('text_too_long', { field: 'name', max: 100 }, 'es')).toBe(
    'Puede tener máximo 100 caracteres.',
  );
  expect(describeProblem('is_required')).toBe('is required');
});

it('an error uses only parameters of the English text in Spanish', () => {
  const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  for (const [english, spanish] of Object.values(PROBLEMS))
    expect(placeholders(english)).toEqual(expect.arrayContaining(placeholders(spanish)));
});

it.each<[ErrorKind, retryable: boolean, final: boolean]>([
  ['unavailable', true, false],
  ['internal', false, false],
  ['not_authenticated', false, false],
  ['private_key_needed', false, false],
  ['malformed', false, true],
  ['declined', false, true],
])('%s is retryable: %s; is final: %s', (kind, retryable, final) => {
  expect(new ApiError(kind)).toMatchObject({ retryable, final });
  expect(isRetryable(errorCodeOf(kind))).toBe(retryable);
});

it('a bug of the program is not a temporary error', () => {
  expect(toApiError(new TypeError('x is not a function')).retryable).toBe(false);
  expect(toApiError(new Error('connect ECONNREFUSED 127.0.0.1:5432')).retryable).toBe(true);
  expect(isRetryable(null)).toBe(false);
});

const card = { holder_name: 'Ana', card_number: '4111111111111111', expiration_month: '12', expiration_year: '39' };
const withCvv2 = { ...card, cvv2: '123' };
it.each([
  ['holder_name', { ...withCvv2, holder_name: ' ' }],
  ['card_number', { ...withCvv2, card_number: '4111' }],
  ['card_number', { ...withCvv2, card_number: '4111111111111112' }],
  ['expiration_month', { ...withCvv2, expiration_month: '13' }],
  ['expiration_year', { ...withCvv2, expiration_year: '20' }],
  ['cvv2', { ...card, cvv2: '12a' }],
  ['cvv2', { ...card, cvv2: '12' }],
  ['cvv2', card],
])('an error about a card names the field %s', (field, wrong) => {
  expect(thrownBy(() => parseCard(wrong, 'sandbox', new Date()))).toMatchObject({ field });
});
