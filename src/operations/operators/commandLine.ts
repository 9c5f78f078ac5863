/** Parses the arguments of `npm run operator` and formats results. */
import { parseArgs } from 'node:util';
import { FatalError } from '../../platform/lifetime';
import { rendererOf } from '../../schema/render';
import type { CommandResult, OperatorCommand, OperatorCommandInput } from './command';
import { commands } from './commands';

/** Placeholder and maximum length of each option. */
const OPTIONS: Readonly<Record<string, readonly [value: string, maxLength: number]>> = {
  status: ['STATUS', 20],
  environment: ['sandbox|production', 20],
  find: ['TEXT', 100],
  reason: ['TEXT', 1000],
  rate: ['NUMBER', 20],
  fixed: ['PESOS', 20],
  amount: ['PESOS', 20],
  description: ['TEXT', 250],
  role: ['read|support|admin', 20],
  name: ['NAME', 100],
  merchant: ['ID', 45],
  limit: ['COUNT', 9],
  offset: ['COUNT', 9],
  until: ['TIME', 35],
  over: ['DURATION', 6],
  query: ['QUERY', 1000],
};

/** First words of commands of two words. */
const GROUPS = ['key', 'bulk'];

interface CommandLine extends Pick<OperatorCommandInput, 'id' | 'options'> {
  command: OperatorCommand;
  json: boolean;
  yes: boolean;
}

/** Returns the help text if `--help` is present. */
export function readCommandLine(args: string[]): CommandLine | string {
  const [first = '', second = ''] = args.filter(text => !text.startsWith('-'));
  const name = GROUPS.includes(first) ? `${first} ${second}`.trim() : first;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return args.includes('--help') ? helpOf(name, command) : readArguments(args, name, command);
  if (name) throw new FatalError(`Unknown command ${name}. Run with --help for a list of commands.`);
  if (args.includes('--help')) return usage();
  throw new FatalError(usage());
}

function usageOf(name: string, { hasId, required = [], optional = [], needsConfirmation }: OperatorCommand): string {
  const option = (each: string): string => `--${each} ${OPTIONS[each]?.[0]}`;
  const parts = [name, ...(hasId ? ['ID'] : []), ...required.map(option), ...optional.map(each => `[${option(each)}]`)];
  return `npm run operator -- ${parts.join(' ')} ${needsConfirmation ? '[--yes] ' : ''}[--json]`;
}

const helpOf = (name: string, command: OperatorCommand): string =>
  `${usageOf(name, command)}\n\n${command.summary}.${command.needsConfirmation ? ' Without --yes, only shows the steps.' : ''}`;

const usage = (): string => `Usage:
${Object.entries(commands)
  .map(([name, command]) => `  ${usageOf(name, command)}`)
  .join('\n')}

Run a command with --help for its description. Requires DATABASE_URL and API_KEY_SECRET; without DATABASE_URL, uses the
embedded database of npm start in DATA_DIR. Commands that use workflows also require TEMPORAL_ADDRESS.`;

function readArguments(args: string[], name: string, command: OperatorCommand): CommandLine {
  const { hasId, required = [], optional = [], needsConfirmation } = command;
  const usageError = (problem: string): FatalError =>
    new FatalError(`${problem}. See npm run operator -- ${name} --help.`);
  const known = Object.fromEntries([...required, ...optional].map(each => [each, { type: 'string' as const }]));
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  const flags = { json: { type: 'boolean' as const }, ...(needsConfirmation && { yes: { type: 'boolean' as const } }) };
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: { ...known, ...flags } });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.? To specify|\. |\n/);
    throw usageError(sentence);
  }
  const { json, yes, ...values } = parsed.values;
  const [id = '', ...others] = parsed.positionals.slice(name.split(' ').length);
  if (others.length > 0 || (id && !hasId)) throw usageError(`Unexpected argument ${[id, ...others].at(-1)}`);
  if (hasId && !/^[a-z0-9]{1,45}$/.test(id)) throw usageError(id ? `Invalid id ${id}` : `${name} requires an id`);
  const options = values as Record<string, string | undefined>;
  for (const each of required) if (!options[each]?.trim()) throw usageError(`${name} requires --${each}`);
  for (const [each, text = ''] of Object.entries(options)) {
    const max = OPTIONS[each]?.[1] ?? 0;
    if (text.length > max || /\p{Cc}/u.test(text))
      throw usageError(`--${each} must be one line of at most ${max} characters`);
  }
  return { command, id, json: json === true, yes: yes === true, options };
}

type JsonRecord = Record<string, unknown>;

export function toJson({ type, records }: CommandResult): object {
  if (!type) return records;
  return (Array.isArray(records) ? records.map(rendererOf(type)) : rendererOf(type)(records)) as object;
}

/** A table for a list of records; for one record a line per field, and a table for each of its lists. */
export function toText(records: object, { columns, tables = {} }: OperatorCommand): string {
  if (Array.isArray(records)) return tableOf(records, columns);
  const members = Object.entries(records);
  const lines = linesOf(Object.fromEntries(members.filter(([name]) => !tables[name])));
  const lists = members.flatMap(([name, list]) =>
    tables[name] ? [`${titleOf(name)}\n${tableOf(list, tables[name])}`] : [],
  );
  return [lines.join('\n'), ...lists].filter(Boolean).join('\n\n');
}

function tableOf(records: JsonRecord[], columns: readonly string[] = []): string {
  if (records.length === 0) return 'No results.';
  const table = [columns.map(titleOf), ...records.map(record => columns.map(path => cell(valueAt(record, path))))];
  const widths = columns.map((_, i) => Math.max(...table.map(row => [...(row[i] ?? '')].length)));
  const line = (row: string[]): string => row.map((text, i) => pad(text, widths[i] ?? 0)).join('  ');
  return table.map(row => line(row).trimEnd()).join('\n');
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - [...text].length));
const titleOf = (path: string): string => path.replace(/^.*\./, '').replaceAll('_', ' ').toUpperCase();
const valueAt = (record: JsonRecord, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as JsonRecord | null | undefined)?.[name], record);

/** Removes control characters, because values come from merchants. */
const cell = (value: unknown): string =>
  value === null || value === undefined ? '-' : String(value).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');

const linesOf = (record: JsonRecord, before = ''): string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? linesOf(value as JsonRecord, `${before}${name}.`)
      : [`${pad(`${before}${name}`, 32)} ${cell(value)}`],
  );
