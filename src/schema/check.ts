/** Validates input objects against their shapes. type-graphql calls it for each argument, so it covers both APIs. */

import { ApiError } from '../platform/errors';
import { throwFirst } from './checkAll';
import { type Class, type Shape, shapeOf } from './shapes';

/** One address without display name, group or list, and a domain with at least two labels. */
const EMAIL_LABEL = '[^\\s@\\p{C}<>(),;:"\\\\\\[\\].]+';
const EMAIL_REGEXP = new RegExp(`^${EMAIL_LABEL}(\\.${EMAIL_LABEL})*@${EMAIL_LABEL}(\\.${EMAIL_LABEL})+$`, 'u');

export const isEmail = (text: string): boolean => EMAIL_REGEXP.test(text);

/** Only white space and invisible characters. */
export const isBlank = (text: string): boolean => !/[^\s\p{C}]/u.test(text);

/** PostgreSQL cannot store NUL, and an unpaired surrogate is not a character. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function findViolation(
  field: string,
  { kind, max, min, optional, email }: Shape,
  value: unknown,
): ApiError | undefined {
  if (kind === 'text' && typeof value === 'string') {
    if (!isStorable(value)) return new ApiError('malformed', 'forbidden_characters', { field });
    if (!optional && isBlank(value)) return new ApiError('malformed', 'is_empty', { field });
    if (max !== undefined && value.length > max && [...value].length > max)
      return new ApiError('malformed', 'text_too_long', { field, max });
    if (email && !isEmail(value)) return new ApiError('malformed', 'not_email', { field });
  }
  if (kind === 'values' && Array.isArray(value) && max !== undefined && value.length > max)
    return new ApiError('invalid_value', 'too_many_values', { field, max });
  if (kind === 'count' && typeof value === 'number') {
    if (min !== undefined && value < min) return new ApiError('invalid_value', 'below_minimum', { field, min });
    if (max !== undefined && value > max) return new ApiError('invalid_value', 'above_maximum', { field, max });
  }
  if (kind === 'money' && typeof value === 'bigint' && min !== undefined && value < BigInt(min)) {
    return new ApiError('invalid_value', 'not_positive', { field });
  }
  return undefined;
}

export const check = (value: unknown, type: unknown): void => throwFirst(violationsOf(value, type));

/** `null` means absent. */
export function violationsOf(value: unknown, type: unknown): ApiError[] {
  if (typeof type !== 'function' || typeof value !== 'object' || value === null) return [];
  return findViolations(value as Record<string, unknown>, type as Class, '');
}

function findViolations(input: Record<string, unknown>, type: Class, path: string): ApiError[] {
  return [...shapeOf(type).values()].flatMap(shape => {
    const { name, of } = shape;
    const value = input[name];
    if (value === null) input[name] = defaultValues(type)[name];
    if (value === null || value === undefined) return [];
    if (shape.kind === 'object' && of) return findViolations(value as Record<string, unknown>, of(), `${path}${name}.`);
    return findViolation(`${path}${name}`, shape, value) ?? [];
  });
}

const defaultValues = (type: Class): Record<string, unknown> => new type() as Record<string, unknown>;
