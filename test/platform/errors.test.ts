/** What programs ask of an error are facts, never words of its text or numbers. */
import { parseCard } from '../../src/payments/cardDetails/details';
import { ApiError, type ErrorKind, errorCodeOf, isRetryable } from '../../src/platform/errors';
import { toApiError } from '../../src/platform/toApiError';

const thrownBy = (action: () => unknown): unknown => {
  try {
    return action();
  } catch (error) {
    return error;
  }
};

it('describes what is wrong by the field and its problem, and names the field', () => {
  const error = new ApiError('invalid_value', { field: 'customer.email', problem: 'is not an e-mail address' });
  expect([error.message, error.field]).toEqual(['customer.email is not an e-mail address', 'customer.email']);
  expect(error.body('r')).toEqual({
    category: 'request',
    error_code: 1003,
    description: 'customer.email is not an e-mail address',
    http_code: 422,
    request_id: 'r',
    field: 'customer.email',
    fields: [{ field: 'customer.email', description: 'customer.email is not an e-mail address' }],
  });
  const { field, fields } = error.body('r');
  expect(error.graphqlBody('r')).toMatchObject({ errors: [{ extensions: { field, fields } }] });
});

it('takes the text of its kind where nothing else is said', () => {
  const { message, field } = new ApiError('unavailable');
  expect([message, field]).toEqual(['A service that is needed to process the request is not available', undefined]);
  expect(new ApiError('not_found', 'There is none').message).toBe('There is none');
  expect(new ApiError('invalid_value', { field: 'amount', description: 'That is too much' })).toMatchObject({
    message: 'That is too much',
    field: 'amount',
  });
});

it.each<[ErrorKind, retryable: boolean, final: boolean]>([
  ['unavailable', true, false],
  ['internal', false, false],
  ['not_authenticated', false, false],
  ['private_key_needed', false, false],
  ['malformed', false, true],
  ['declined', false, true],
])('%s: a repeat can help: %s; it is an outcome: %s', (kind, retryable, final) => {
  expect(new ApiError(kind)).toMatchObject({ retryable, final });
  expect(isRetryable(errorCodeOf(kind))).toBe(retryable);
});

it('a fault of the program is not one that passes by itself', () => {
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
