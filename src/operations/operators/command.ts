/** What a command of `npm run operator` is. */
import type { Client } from '@temporalio/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { AcquirerConnection } from '../../gateway/acquirer/connection';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import type { Class } from '../../schema/shapes';

export const MAX_LISTED = 1000;

export interface OperatorCommandInput {
  db: Database;
  secret: string;
  /** Absent where no address is known. */
  temporal?: Client | undefined;
  /** Of the environments whose acquirer is known. */
  acquirers?: Partial<Record<Environment, AcquirerConnection>>;
  id: string;
  /** Those that the command needs are there. */
  options: Readonly<Record<string, string | undefined>>;
  /** Whether it is to be done, and not only said what would be. */
  yes?: boolean;
}

export interface CommandResult {
  /** How it is shown; absent: as it is. */
  type?: Class;
  records: object | object[];
  /** Nothing was changed, because nobody said `--yes`. */
  isDryRun?: boolean;
}

export interface OperatorCommand {
  about: string;
  /** What stands after its name. */
  takesId?: boolean;
  needs?: readonly string[];
  takes?: readonly string[];
  /** Whether it changes something only with `--yes`. */
  asksFirst?: boolean;
  /** The fields that a table shows. */
  columns?: readonly string[];
  /** Of an answer with several lists: the fields that the table of each shows. */
  tables?: Readonly<Record<string, readonly string[]>>;
  run(input: OperatorCommandInput): Promise<CommandResult>;
}

/** One of the words that there are. */
export function oneOf<const T extends readonly string[]>(
  name: string,
  text: string | undefined,
  words: T,
): T[number] | undefined {
  if (text === undefined || words.includes(text)) return text;
  throw new ApiError('invalid_value', 'not_one_of', { field: `--${name}`, values: words.join(', ') });
}

export interface CommandPage {
  limit: number;
  offset: number;
}

const DEFAULT_LISTED = 100;
const MAX_OFFSET = 100_000;

/** Of commands that take `--limit` and `--offset`. */
export const pageOf = ({ limit, offset }: OperatorCommandInput['options']): CommandPage => ({
  limit: wholeNumber('limit', limit ?? `${DEFAULT_LISTED}`, 1, MAX_LISTED),
  offset: wholeNumber('offset', offset ?? '0', 0, MAX_OFFSET),
});

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ApiError('invalid_value', 'not_whole_number_within', { field: `--${name}`, min, max });
}
