import { parse } from 'lossless-json';
import { ApiError } from '../platform/errors';

const MAX_DEPTH = 32;
/** What may be a number that JSON.parse does not read to the letter; everything else is left to it, which is many times faster. */
const UNCOMMON_NUMBER = /\d{16}|\de/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What JSON.parse lets pass and we do not: the same member twice, numbers that are none (1e400), nesting without end. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new ApiError('malformed', 'The body is not UTF-8');
  }
  rejectDeepOrDuplicate(text);
  try {
    if (!UNCOMMON_NUMBER.test(text)) return JSON.parse(text);
    return parse(text, undefined, { parseNumber, onDuplicateKey: rejectDuplicate });
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('malformed', 'The body is not valid JSON');
  }
}

/** Whole numbers beyond what a double holds (card numbers of 19 digits) keep their digits. */
function parseNumber(text: string): number | bigint {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new ApiError('malformed', 'The body holds a number that is too large');
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

function rejectDuplicate(): never {
  // Not which one: what stands where a name belongs may be anything.
  throw new ApiError('malformed', 'The body has a member twice');
}

/**
 * Reads only the skeleton of the text: how deep it goes, and the names of members. Before anything recurses over it, and because the
 * parser takes a member twice when both have the same value.
 */
function rejectDeepOrDuplicate(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      const start = i++;
      while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
      const members = open.at(-1);
      if (members && /^\s*:/.test(text.slice(i + 1, i + 50))) addMember(members, text.slice(start, i + 1));
    } else if (character === '{' || character === '[') {
      if (open.push(character === '{' ? new Set() : undefined) > MAX_DEPTH)
        throw new ApiError('malformed', 'The body is nested too deeply');
    } else if (character === '}' || character === ']') open.pop();
  }
}

function addMember(members: Set<string>, quoted: string): void {
  const name = quoted.includes('\\') ? unescapeName(quoted) : quoted.slice(1, -1);
  if (members.has(name)) rejectDuplicate();
  members.add(name);
}

/** A name with escapes, as it is meant; one that is no JSON is left to the parser. */
function unescapeName(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted;
  }
}
