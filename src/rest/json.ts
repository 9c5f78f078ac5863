import { parse } from 'lossless-json';
import { ApiError } from '../errors';

const DEEPEST = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What JSON.parse lets pass and we do not: the same member twice, numbers that are none (1e400), nesting without end. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new ApiError('malformed', 'The body is not UTF-8');
  }
  refuseDepth(text);
  try {
    return parse(text, undefined, { parseNumber, onDuplicateKey: refuseDuplicate });
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

function refuseDuplicate({ key }: { key: string }): never {
  throw new ApiError('malformed', `The body has the member ${key.slice(0, 100)} twice`);
}

/** Counted over the bytes of the text, so that a body of brackets never reaches a parser that recurses. */
function refuseDepth(text: string): void {
  let depth = 0;
  for (let i = 0, quoted = false; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (quoted) {
      if (character === 92) i++;
      else if (character === 34) quoted = false;
    } else if (character === 34) quoted = true;
    else if (character === 123 || character === 91) {
      if (++depth > DEEPEST) throw new ApiError('malformed', 'The body is nested too deeply');
    } else if (character === 125 || character === 93) depth--;
  }
}
