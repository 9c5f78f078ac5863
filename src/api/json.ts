import { parse } from 'lossless-json';
import { ApiError } from '../platform/errors';
import { readNumber } from '../schema/numbers';

const MAX_DEPTH = 32;
/** Matches numbers that JSON.parse may not read exactly. Other bodies use JSON.parse, which is much faster. */
const UNCOMMON_NUMBER = /\d{16}|\de|\.\d{3}(?!\d)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Stricter than JSON.parse: rejects duplicate members, numbers that overflow (1e400) and deep nesting. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new ApiError('malformed', 'body_not_utf8');
  }
  rejectDeepOrDuplicate(text);
  try {
    if (!UNCOMMON_NUMBER.test(text)) return JSON.parse(text);
    return parse(text, undefined, { parseNumber, onDuplicateKey: rejectDuplicate });
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('malformed', 'body_not_json');
  }
}

function parseNumber(text: string) {
  const number = readNumber(text);
  if (number === undefined) throw new ApiError('malformed', 'body_number_too_large');
  return number;
}

function rejectDuplicate(): never {
  // The name is not repeated, since a client may have sent card data in its place.
  throw new ApiError('malformed', 'body_duplicate_member');
}

/** Follows the name of a member. */
const MEMBER_END = /\s*:/y;

/**
 * Checks the depth before recursive parsing, and the names of members, because the parser accepts duplicates with equal
 * values.
 */
function rejectDeepOrDuplicate(text: string): void {
  const openContainers: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      const start = i++;
      while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
      const members = openContainers.at(-1);
      MEMBER_END.lastIndex = i + 1;
      if (members && MEMBER_END.test(text)) addMember(members, text.slice(start, i + 1));
    } else if (character === '{' || character === '[') {
      if (openContainers.push(character === '{' ? new Set() : undefined) > MAX_DEPTH)
        throw new ApiError('malformed', 'body_too_deep');
    } else if (character === '}' || character === ']') openContainers.pop();
  }
}

function addMember(members: Set<string>, quoted: string): void {
  const name = quoted.includes('\\') ? unescapeName(quoted) : quoted.slice(1, -1);
  if (members.has(name)) rejectDuplicate();
  members.add(name);
}

/** The parser rejects names with invalid escapes. */
function unescapeName(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted;
  }
}
