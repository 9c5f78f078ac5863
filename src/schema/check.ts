/** Validates input objects against their shapes. type-graphql calls it for each argument, so it covers both APIs. */

import { ApiError } from '../platform/errors';
import { throwFirst } from './checkAll';
import { enumName } from './enums/enumName';
import { EMAIL_PATTERN, PHONE_PATTERN, VISIBLE } from './patterns';
import { type Class, type Shape, shapeOf } from './shapes';

const email = new RegExp(EMAIL_PATTERN, 'u');
const phone = new RegExp(PHONE_PATTERN, 'u');
const visible = new RegExp(VISIBLE, 'u');

export const isPhone = (text: string): boolean => phone.test(text);
export const isEmail = (text: string): boolean => email.test(text);

/** Only white space and invisible characters. */
export const isBlank = (text: string): boolean => !visible.test(text.replaceAll('\0', ''));

/** PostgreSQL cannot store NUL, and an unpaired surrogate is not a character. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function findViolation(
  field: string,
  { kind, max, min, optional, form, values }: Shape,
  value: unknown,
): ApiError | undefined {
  if (kind === 'text' && typeof value === 'string') {
    if (!isStorable(value)) return new ApiError('malformed', 'forbidden_characters', { field });
    if (!optional && isBlank(value)) return new ApiError('malformed', 'is_empty', { field });
    if (max !== undefined && value.length > max && [...value].length > max)
      return new ApiError('malformed', 'text_too_long', { field, max });
    if (form === 'email' && !isEmail(value)) return new ApiError('malformed', 'not_email', { field });
    const isCleared = optional && value.trim() === '';
    if (form === 'phone' && !isCleared && !isPhone(value)) return new ApiError('malformed', 'not_phone', { field });
  }
  if (kind === 'values' && Array.isArray(value) && max !== undefined && value.length > max)
    return new ApiError('invalid_value', 'too_many_values', { field, max });
  if (kind === 'values' && values && Array.isArray(value) && !value.every(each => values.includes(each)))
    return new ApiError('invalid_value', 'not_one_of', { field, values: values.map(enumName).join(', ') });
  if (kind === 'count' && typeof value === 'number') {
    if (min !== undefined && value < min) return new ApiError('invalid_value', 'below_minimum', { field, min });
    if (max !== undefined && value > max) return new ApiError('invalid_value', 'above_maximum', { field, max });
  }
  if (kind === 'money' && typeof value === 'bigint' && min !== undefined && value < BigInt(min)) {
    return new ApiError('invalid_value', min === 0 ? 'is_negative' : 'not_positive', { field });
  }
  return undefined;
}

export const check = (value: unknown, type: unknown): void => throwFirst(violationsOf(value, type));

/** `null` means absent, unless it clears a value. */
export function violationsOf(value: unknown, type: unknown): ApiError[] {
  if (typeof type !== 'function' || typeof value !== 'object' || value === null) return [];
  return findViolations(value as Record<string, unknown>, type as Class, '');
}

function findViolations(input: Record<string, unknown>, type: Class, path: string): ApiError[] {
  return [...shapeOf(type).values()].flatMap(shape => {
    const { name, of } = shape;
    const value = input[name];
    if (value === null && !shape.clearable) input[name] = defaultValues(type)[name];
    if (value === null || value === undefined) return [];
    if (shape.kind === 'object' && of) return findViolations(value as Record<string, unknown>, of(), `${path}${name}.`);
    return findViolation(`${path}${name}`, shape, value) ?? [];
  });
}

const defaultValues = (type: Class): Record<string, unknown> => new type() as Record<string, unknown>;
