/**
 * The card numbers and security codes that the tests use, and the search for them in responses, logs, tables and
 * files, in plain text, hex and base64.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { testNumbers } from '../../../src/payments/cardDetails/testNumbers';

/** Valid card numbers that no document uses as an example. */
export const canary = {
  visa: '4929381533287748',
  mastercard: '5391827364550915',
  amex: '371449635398431',
  long: '4929381533287740000',
  cvv2: '917',
  amexCvv2: '7391',
} as const;

/** All numbers except the first test number, which appears in documents. */
const canaryNumbers = [canary.visa, canary.mastercard, canary.amex, canary.long, ...[...testNumbers.keys()].slice(1)];

/** For each alignment, the part of the base64 text that does not depend on neighbouring bytes. */
const base64Encodings = (text: string): string[] =>
  [0, 1, 2].map(shift => {
    const encoded = Buffer.from(`${'\0'.repeat(shift)}${text}`).toString('base64');
    return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + text.length) * 8) / 6));
  });

const encodingsOf = (text: string): string[] => {
  const hex = Buffer.from(text).toString('hex');
  return [text, hex, hex.toUpperCase(), ...base64Encodings(text)];
};

/** The cell as text, and decoded if it contains bytes. */
const textsOfCell = (cell: unknown): string[] => {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  return text.startsWith('\\x') ? [text, Buffer.from(text.slice(2), 'hex').toString('latin1')] : [text];
};

/** Counters, durations, process numbers and ends of API keys, whose values may coincide with a security code. */
const COUNTER_COLUMNS = ['xact', 'sequence', 'line', 'entry_id'];
const COINCIDING_COLUMNS = ['api_keys.last_four', 'audit_seals.number', 'delivery_attempts.duration', 'workers.pid'];
const mayCoincide = (table: string, column: string, cell: unknown): boolean =>
  COUNTER_COLUMNS.includes(column) ||
  COINCIDING_COLUMNS.includes(`${table}.${column}`) ||
  (column === 'id' && typeof cell === 'number');

export class CardDataSearch {
  private readonly patterns: string[];
  /** Any of them: one expression is eight times as fast as a search for each. */
  private readonly anyPattern: RegExp;
  /** Three digits alone are common, so a security code is searched for together with its label. */
  private readonly labelledCode: string;

  constructor(
    numbers: readonly string[],
    private readonly codes: readonly string[],
  ) {
    const labelled = codes.flatMap(code => [`"cvv2":"${code}"`, `"cvv2":${code}`]);
    this.patterns = [...numbers, ...labelled].flatMap(encodingsOf);
    this.anyPattern = new RegExp(this.patterns.map(pattern => pattern.replace(/\W/g, '\\$&')).join('|'));
    this.labelledCode = `cvv2?[^0-9a-zA-Z]{1,8}(${codes.join('|')})([^0-9]|$)`;
  }

  inText(text: string): string[] {
    const code = new RegExp(this.labelledCode, 'i').exec(text)?.[0];
    const found = this.anyPattern.test(text) ? this.patterns.filter(pattern => text.includes(pattern)) : [];
    return [...found, ...(code ? [code] : [])];
  }

  /** Searches every row of every table. A cell that equals a security code is a match too. */
  async inTables(client: Client): Promise<string[]> {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const leaks: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: object }>(`select to_jsonb(t) as row from ${name} t`);
      for (const { row } of rows) {
        const text = JSON.stringify(row);
        const cells = Object.entries(row).flatMap(([column, cell]) =>
          mayCoincide(name, column, cell) ? [] : textsOfCell(cell),
        );
        if (cells.some(cell => this.codes.includes(cell)) || this.inText(text).length > 0)
          leaks.push(`${name}: ${text}`);
      }
    }
    return leaks;
  }

  /** The files in a directory that contain card data. */
  inFiles(directory: string): string[] {
    const patternFile = join(tmpdir(), `recaudo-needles-${process.pid}`);
    writeFileSync(patternFile, `${this.patterns.join('\n')}\n`);
    const grep = (...flags: string[]): string[] => {
      const { status, stdout, stderr } = spawnSync('grep', ['-rla', ...flags, directory], { encoding: 'utf8' });
      if (status !== 0 && status !== 1) throw new Error(`grep: ${stderr}`);
      return stdout.split('\n').filter(Boolean);
    };
    const files = [...grep('-F', '-f', patternFile), ...grep('-iE', this.labelledCode)];
    rmSync(patternFile);
    return [...new Set(files)];
  }
}

/** The card data of all tests. */
export const canaries = new CardDataSearch(canaryNumbers, [canary.cvv2, canary.amexCvv2]);

export function assertNoCardData(where: string, text: string): void {
  const leaks = canaries.inText(text);
  if (leaks.length > 0) throw new Error(`${where} holds ${leaks.join(', ')}: ${text}`);
}

/** Saves a text in the directory that is searched at the end of the run. */
export function saveForLeakSearch(name: string, text: string): void {
  const { TEST_DIRECTORY } = process.env;
  if (TEST_DIRECTORY) appendFileSync(join(TEST_DIRECTORY, `${process.pid}-${name}`), text);
}
