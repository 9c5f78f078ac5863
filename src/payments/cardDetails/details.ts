/** Validates card details in a fixed order: format, cvv2, check digit, expiration, cvv2 length, test numbers. */

import type { Environment } from '../../../prisma/generated/enums';
import { passesLuhn } from '../../gateway/luhn';
import { ApiError } from '../../platform/errors';
import { isBlank } from '../../schema/check';
import { throwFirst } from '../../schema/checkAll';
import { type Brand, brandOf } from './brands';
import { looksLikeCard, numbersIn } from './numbersInText';
import { testNumbers } from './testNumbers';
import { hasCardLength, hasExpired } from './typed';

/** Patterns for the API documents. The code below also accepts spaces and dashes, and checks length and check digit. */
export const CARD_NUMBER = { pattern: '^([0-9]{16}|[0-9]{19}|3[47][0-9]{13}|3(0[0-5]|[689][0-9])[0-9]{11})$' };
export const CVV2 = { pattern: '^[0-9]{3,4}$' };
export const EXPIRATION_MONTH = { pattern: '^(0?[1-9]|1[0-2])$' };
export const EXPIRATION_YEAR = { pattern: '^(20)?[0-9]{2}$' };

export interface CardInput {
  holder_name?: string;
  card_number?: string;
  cvv2?: string;
  expiration_month?: string;
  expiration_year?: string;
}

export interface CardDetails {
  holder_name: string;
  number: string;
  cvv2: string;
  brand: Brand;
  expiration_month: string;
  expiration_year: string;
}

/** Throws the first error with the remaining ones attached. */
export function parseCard(input: CardInput, environment: Environment, now: Date): CardDetails {
  const { details, errors } = examineCard(input, environment, now);
  throwFirst(errors);
  return details as CardDetails;
}

/** Returns all errors in the order of the checks, or the details. */
export function examineCard(
  input: CardInput,
  environment: Environment,
  now: Date,
): { details?: CardDetails; errors: ApiError[] } {
  const errors: ApiError[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const holder_name = attempt(() => requireName('holder_name', input.holder_name));
  const number = attempt(() => readNumber(requireText('card_number', input.card_number)));
  const expiration_month = attempt(() => readMonth(requireText('expiration_month', input.expiration_month)));
  const expiration_year = attempt(() => readYear(requireText('expiration_year', input.expiration_year)));
  const cvv2 = attempt(() => requireCvv2(input.cvv2));
  const brand = number === undefined ? undefined : brandOf(number);
  if (number && !passesLuhn(number)) errors.push(new ApiError('wrong_check_digit'));
  if (expiration_month && expiration_year) attempt(() => rejectExpired(expiration_month, expiration_year, now));
  if (brand && cvv2) attempt(() => rejectWrongCvv2(cvv2, brand));
  if (environment === 'production' && testNumbers.has(number ?? '')) errors.push(new ApiError('test_number'));
  if (errors.length > 0 || !holder_name || !number || !cvv2 || !brand || !expiration_month || !expiration_year)
    return { errors };
  return { details: { holder_name, number, cvv2, brand, expiration_month, expiration_year }, errors };
}

function requireText(name: string, text: string | undefined): string {
  if (text === undefined) throw new ApiError('malformed', 'is_required', { field: name });
  if (isBlank(text)) throw new ApiError('malformed', 'is_empty', { field: name });
  return text;
}

/** Rejects a card number in the name field, which is stored in plain text. */
function requireName(name: string, text: string | undefined): string {
  const holder = requireText(name, text);
  if (numbersIn(holder).some(looksLikeCard))
    throw new ApiError('invalid_value', 'contains_card_number', { field: name });
  return holder;
}

function readNumber(text: string): string {
  const number = text.replace(/[ -]/g, '');
  if (!hasCardLength(number)) throw new ApiError('malformed', 'not_card_number', { field: 'card_number' });
  return number;
}

export function readMonth(text: string): string {
  if (!/^[0-9]{1,2}$/.test(text) || Number(text) < 1 || Number(text) > 12)
    throw new ApiError('malformed', 'not_month', { field: 'expiration_month' });
  return text.padStart(2, '0');
}

/** Accepts two digits, or four in this century. */
export function readYear(text: string): string {
  if (!/^(20)?[0-9]{2}$/.test(text)) throw new ApiError('malformed', 'not_year', { field: 'expiration_year' });
  return text.slice(-2);
}

export function readCvv2(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (!/^[0-9]{1,10}$/.test(text.trim())) throw new ApiError('malformed', 'not_digits', { field: 'cvv2' });
  return text.trim();
}

function requireCvv2(text: string | undefined): string {
  const cvv2 = readCvv2(text);
  if (cvv2 === undefined) throw new ApiError('cvv2_missing');
  return cvv2;
}

export function rejectWrongCvv2(cvv2: string, { cvv2Length }: Brand): void {
  if (cvv2.length !== cvv2Length) throw new ApiError('wrong_cvv2');
}

export function rejectExpired(month: string, year: string, now: Date): void {
  if (hasExpired(month, year, now)) throw new ApiError('expiration_in_past');
}

export const maskOf = (number: string): string =>
  `${number.slice(0, 6)}${'X'.repeat(number.length - 10)}${number.slice(-4)}`;
