/** Types and options shared by the commands of `npm run operator`. */
import type { Client } from '@temporalio/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { AcquirerConnection } from '../../gateway/acquirer/connection';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import type { Class } from '../../schema/shapes';

export const MAX_LISTED = 1000;

export type AcquirerConnections = Partial<Record<Environment, AcquirerConnection>>;

export interface OperatorCommandInput {
  db: Database;
  secret: string;
  /** Absent without TEMPORAL_ADDRESS. */
  temporal?: Client | undefined;
  /** Connections to the configured acquirers. */
  acquirers?: AcquirerConnections;
  id: string;
  /** The required options are present. */
  options: Readonly<Record<string, string | undefined>>;
  /** Apply the change; false is a dry run. */
  yes?: boolean;
}

/** A sentence of a preview. Commands show English, the operator page its language. */
export interface Step {
  en: string;
  es: string;
}

export const toSteps = (steps: readonly Step[]): object[] => steps.map(({ en }, i) => ({ step: i + 1, text: en }));

export interface CommandResult {
  /** Renders the records; absent: records are JSON already. */
  type?: Class;
  records: object | object[];
  /** No changes were made, because `--yes` was absent. */
  isDryRun?: boolean;
}

export interface OperatorCommand {
  /** A sentence without its period. */
  summary: string;
  hasId?: boolean;
  required?: readonly string[];
  optional?: readonly string[];
  /** Whether it is a dry run without `--yes`. */
  needsConfirmation?: boolean;
  /** Columns of the table. */
  columns?: readonly string[];
  /** Columns by list, for a result with several lists. */
  tables?: Readonly<Record<string, readonly string[]>>;
  run(input: OperatorCommandInput): Promise<CommandResult>;
}

/** Properties of commands that change an object after a dry run. */
export const CONFIRMED = {
  hasId: true,
  required: ['reason'],
  needsConfirmation: true,
  tables: { steps: ['step', 'text'] },
} as const;

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

/** Reads `--limit` and `--offset`. */
export const pageOf = ({ limit, offset }: OperatorCommandInput['options']): CommandPage => ({
  limit: wholeNumber('limit', limit ?? `${DEFAULT_LISTED}`, 1, MAX_LISTED),
  offset: wholeNumber('offset', offset ?? '0', 0, MAX_OFFSET),
});

export function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ApiError('invalid_value', 'not_whole_number_within', { field: `--${name}`, min, max });
}
