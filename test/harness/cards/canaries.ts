/**
 * Card numbers and security codes that the tests use, and the search for them wherever they must not be: answers, logs, tables, files.
 * In clear, in hex and in base64.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { testNumbers } from '../../../src/cardDetails/testNumbers';

/** Good cards that no document shows as an example. */
export const canary = {
  visa: '4929381533287748',
  mastercard: '5391827364550915',
  amex: '371449635398431',
  long: '4929381533287740000',
  cvv2: '917',
  amexCvv2: '7391',
} as const;

/** The first test number is the one that documents show. */
const numbers = [canary.visa, canary.mastercard, canary.amex, canary.long, ...[...testNumbers.keys()].slice(1)];

/** However it is aligned: what of the base64 does not depend on the neighbours. */
const base64Forms = (text: string): string[] =>
  [0, 1, 2].map(shift => {
    const encoded = Buffer.from(`${'\0'.repeat(shift)}${text}`).toString('base64');
    return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + text.length) * 8) / 6));
  });

const formsOf = (text: string): string[] => {
  const hex = Buffer.from(text).toString('hex');
  return [text, hex, hex.toUpperCase(), ...base64Forms(text)];
};

/** As it is, and what its bytes say. */
const cellsOf = (cell: unknown): string[] => {
  const text = String(cell);
  return text.startsWith('\\x') ? [text, Buffer.from(text.slice(2), 'hex').toString('latin1')] : [text];
};

/** What the database counts may be any number. */
const COUNTED = ['xact', 'sequence'];

/** A search for these numbers and codes. */
export class Search {
  private readonly needles: string[];
  /** Three digits are everywhere: a security code is looked for beside its name. */
  private readonly namedCode: string;

  constructor(
    sought: readonly string[],
    private readonly codes: readonly string[],
  ) {
    const named = codes.flatMap(code => [`"cvv2":"${code}"`, `"cvv2":${code}`]);
    this.needles = [...sought, ...named].flatMap(formsOf);
    this.namedCode = `cvv2?[^0-9a-zA-Z]{1,8}(${codes.join('|')})([^0-9]|$)`;
  }

  inText(text: string): string[] {
    const code = new RegExp(this.namedCode, 'i').exec(text)?.[0];
    return [...this.needles.filter(needle => text.includes(needle)), ...(code ? [code] : [])];
  }

  /** Every row of every table, byte for byte; a cell that is nothing but a security code counts too. */
  async inTables(client: Client): Promise<string[]> {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: object }>(`select to_jsonb(t) as row from ${name} t`);
      for (const { row } of rows) {
        const text = JSON.stringify(row);
        const cells = Object.entries(row).flatMap(([column, cell]) => (COUNTED.includes(column) ? [] : cellsOf(cell)));
        if (cells.some(cell => this.codes.includes(cell)) || this.inText(text).length > 0)
          found.push(`${name}: ${text}`);
      }
    }
    return found;
  }

  /** Which files below a directory hold one. */
  inFiles(directory: string): string[] {
    const list = join(tmpdir(), `recaudo-needles-${process.pid}`);
    writeFileSync(list, `${this.needles.join('\n')}\n`);
    const search = (...how: string[]): string[] => {
      const { status, stdout, stderr } = spawnSync('grep', ['-rla', ...how, directory], { encoding: 'utf8' });
      if (status !== 0 && status !== 1) throw new Error(`grep: ${stderr}`);
      return stdout.split('\n').filter(Boolean);
    };
    const found = [...search('-F', '-f', list), ...search('-iE', this.namedCode)];
    rmSync(list);
    return [...new Set(found)];
  }
}

/** For what all tests use. */
export const canaries = new Search(numbers, [canary.cvv2, canary.amexCvv2]);

export function refuseCanaries(where: string, text: string): void {
  const found = canaries.inText(text);
  if (found.length > 0) throw new Error(`${where} holds ${found.join(', ')}: ${text}`);
}

/** Kept until the end of the run, when everything is searched. */
export function keepForSearch(name: string, text: string): void {
  const { TEST_DIRECTORY } = process.env;
  if (TEST_DIRECTORY) appendFileSync(join(TEST_DIRECTORY, `${process.pid}-${name}`), text);
}
