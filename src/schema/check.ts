/** What a value of the right kind must fulfil, at every depth. type-graphql calls this for the arguments of every field, so both doors pass. */
import { ApiError } from '../platform/errors';
import { type Class, type Shape, shapeOf } from './shapes';

/** One address: nothing that a mail program reads as a name, a group or a list, and a domain of at least two labels. */
const PART = '[^\\s@\\p{C}<>(),;:"\\\\\\[\\].]+';
const LOOKS_LIKE_EMAIL = new RegExp(`^${PART}(\\.${PART})*@${PART}(\\.${PART})+$`, 'u');

type Violation = [kind: 'malformed' | 'invalid_value', text: string] | undefined;

/** Nothing that anybody could see. */
export const isBlank = (text: string): boolean => !/[^\s\p{C}]/u.test(text);

/** Postgres cannot hold a NUL, and half a surrogate pair is no character. */
const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function violation({ kind, max, min, optional, email }: Shape, value: unknown): Violation {
  if (kind === 'text' && typeof value === 'string') {
    if (!isText(value)) return ['malformed', 'holds characters that are not allowed'];
    if (!optional && isBlank(value)) return ['malformed', 'is empty'];
    if (max !== undefined && value.length > max && [...value].length > max)
      return ['malformed', `takes at most ${max} characters`];
    if (email && !LOOKS_LIKE_EMAIL.test(value)) return ['malformed', 'is not an e-mail address'];
  }
  if (kind === 'values' && Array.isArray(value) && max !== undefined && value.length > max)
    return ['invalid_value', `takes at most ${max} values`];
  if (kind === 'count' && typeof value === 'number') {
    if (min !== undefined && value < min) return ['invalid_value', `must be at least ${min}`];
    if (max !== undefined && value > max) return ['invalid_value', `must be at most ${max}`];
  }
  if (kind === 'money' && typeof value === 'bigint' && min !== undefined && value < BigInt(min)) {
    return ['invalid_value', 'must be greater than zero'];
  }
}

/** All malformed fields come before any that is only not accepted. `null` means absent. */
export function check(value: unknown, type: unknown): void {
  if (typeof type !== 'function' || typeof value !== 'object' || value === null) return;
  const found = violations(value as Record<string, unknown>, type as Class, '');
  const worst = found.find(([kind]) => kind === 'malformed') ?? found[0];
  if (worst) throw new ApiError(...worst);
}

function violations(
  value: Record<string, unknown>,
  type: Class,
  path: string,
): ['malformed' | 'invalid_value', string][] {
  return [...shapeOf(type).values()].flatMap(shape => {
    const { name, of } = shape;
    const given = value[name];
    if (given === null) value[name] = initial(type)[name];
    if (given === null || given === undefined) return [];
    if (shape.kind === 'object' && of) return violations(given as Record<string, unknown>, of(), `${path}${name}.`);
    const [kind, text] = violation(shape, given) ?? [];
    return kind ? [[kind, `${path}${name} ${text}`] as ['malformed' | 'invalid_value', string]] : [];
  });
}

/** What a field of the class is when nothing is said. */
const initial = (type: Class): Record<string, unknown> => new type() as Record<string, unknown>;
