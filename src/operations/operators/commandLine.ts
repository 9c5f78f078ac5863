/** Reads the arguments of `npm run operator`, and shows what a command answers. */
import { parseArgs } from 'node:util';
import { FatalError } from '../../platform/lifetime';
import { rendererOf } from '../../schema/render';
import type { CommandResult, OperatorCommand, OperatorCommandInput } from './command';
import { commands } from './commands';

/** What an option is, and how long it may be. */
const OPTIONS: Readonly<Record<string, readonly [value: string, maxLength: number]>> = {
  status: ['STATUS', 20],
  environment: ['sandbox|production', 20],
  find: ['TEXT', 100],
  reason: ['TEXT', 1000],
  rate: ['PERCENT', 20],
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
};

interface CommandLine extends Pick<OperatorCommandInput, 'id' | 'options'> {
  command: OperatorCommand;
  json: boolean;
  yes: boolean;
}

/** A text is the help that was asked for. Throws one clear sentence where something is wrong. */
export function readCommandLine(args: string[]): CommandLine | string {
  const [first = '', second = ''] = args.filter(text => !text.startsWith('-'));
  const name = first === 'key' ? `key ${second}`.trim() : first;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return args.includes('--help') ? helpOf(name, command) : readArguments(args, name, command);
  if (name) throw new FatalError(`There is no command ${name}: --help lists those that there are.`);
  if (args.includes('--help')) return usage();
  throw new FatalError(usage());
}

function usageOf(name: string, { takesId, needs = [], takes = [], asksFirst }: OperatorCommand): string {
  const option = (each: string): string => `--${each} ${OPTIONS[each]?.[0]}`;
  const parts = [name, ...(takesId ? ['ID'] : []), ...needs.map(option), ...takes.map(each => `[${option(each)}]`)];
  return `npm run operator -- ${parts.join(' ')} ${asksFirst ? '[--yes] ' : ''}[--json]`;
}

const helpOf = (name: string, command: OperatorCommand): string =>
  `${usageOf(name, command)}\n\nIt ${command.about}.${command.asksFirst ? ' Without --yes it only says what it would do.' : ''}`;

const usage = (): string => `Usage:
${Object.entries(commands)
  .map(([name, command]) => `  ${usageOf(name, command)}`)
  .join('\n')}

--help after a command says what it does. DATABASE_URL and API_KEY_SECRET say where; without DATABASE_URL it is the
database that npm start embeds in DATA_DIR. Those that look at workflows also need TEMPORAL_ADDRESS.`;

function readArguments(args: string[], name: string, command: OperatorCommand): CommandLine {
  const { takesId, needs = [], takes = [], asksFirst } = command;
  const wrong = (problem: string): FatalError =>
    new FatalError(`${problem}: npm run operator -- ${name} --help says how.`);
  const known = Object.fromEntries([...needs, ...takes].map(each => [each, { type: 'string' as const }]));
  let found: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  const flags = { json: { type: 'boolean' as const }, ...(asksFirst && { yes: { type: 'boolean' as const } }) };
  try {
    found = parseArgs({ args, allowPositionals: true, options: { ...known, ...flags } });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.? To specify|\. |\n/);
    throw wrong(sentence);
  }
  const { json, yes, ...values } = found.values;
  const [id = '', ...others] = found.positionals.slice(name.split(' ').length);
  if (others.length > 0 || (id && !takesId)) throw wrong(`${name} does not take ${[id, ...others].at(-1)}`);
  if (takesId && !/^[a-z0-9]{1,45}$/.test(id)) throw wrong(id ? `${id} is no id` : `${name} needs an id`);
  const options = values as Record<string, string | undefined>;
  for (const each of needs) if (!options[each]?.trim()) throw wrong(`${name} needs --${each}`);
  for (const [each, text = ''] of Object.entries(options)) {
    const max = OPTIONS[each]?.[1] ?? 0;
    if (text.length > max || /\p{Cc}/u.test(text)) throw wrong(`--${each} takes one line of at most ${max} characters`);
  }
  return { command, id, json: json === true, yes: yes === true, options };
}

type JsonRecord = Record<string, unknown>;

/** What a command answers as JSON has it. */
export function toJson({ type, records }: CommandResult): object {
  if (!type) return records;
  return (Array.isArray(records) ? records.map(rendererOf(type)) : rendererOf(type)(records)) as object;
}

/** A table of several records, or a line for each field of one, and a table for each of its lists. */
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
  if (records.length === 0) return 'There are none.';
  const table = [columns.map(titleOf), ...records.map(record => columns.map(path => cell(valueAt(record, path))))];
  const widths = columns.map((_, i) => Math.max(...table.map(row => [...(row[i] ?? '')].length)));
  const line = (row: string[]): string => row.map((text, i) => pad(text, widths[i] ?? 0)).join('  ');
  return table.map(row => line(row).trimEnd()).join('\n');
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - [...text].length));
const titleOf = (path: string): string => path.replace(/^.*\./, '').replaceAll('_', ' ').toUpperCase();
const valueAt = (record: JsonRecord, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as JsonRecord | null | undefined)?.[name], record);

/** What others have written must not control the terminal. */
const cell = (value: unknown): string =>
  value === null || value === undefined ? '-' : String(value).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');

const linesOf = (record: JsonRecord, before = ''): string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? linesOf(value as JsonRecord, `${before}${name}.`)
      : [`${pad(`${before}${name}`, 32)} ${cell(value)}`],
  );
