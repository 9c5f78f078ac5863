/**
 * Audits a live database in one snapshot, against the acquirer's journal read before and after that snapshot was taken.
 */
import type { Client } from 'pg';
import { request } from 'undici';
import { auditLogChecks } from './auditLogChecks';
import { type Check, ledgerChecks } from './checks';
import { deliveryChecks } from './deliveryChecks';
import { journalChecks } from './journalChecks';
import { settlementChecks, settlementJournalChecks } from './settlementChecks';

export interface Finding {
  title: string;
  count: number;
  differences: string[];
}

const MAX_PAGE_ROWS = 1000;

interface AuditedEntry {
  sequence: number;
}

async function readJournal(url: string, after: number): Promise<AuditedEntry[]> {
  const entries: AuditedEntry[] = [];
  for (;;) {
    const last = entries.at(-1)?.sequence ?? after;
    const { body } = await request(`${url}/journal?after=${last}&limit=${MAX_PAGE_ROWS}`);
    const page = (await body.json()) as AuditedEntry[];
    entries.push(...page);
    if (page.length < MAX_PAGE_ROWS) return entries;
  }
}

/** Without a journal URL only what the database itself says is checked. */
export async function audit(client: Client, journalUrl: string | undefined): Promise<Finding[]> {
  const entriesBefore = journalUrl ? await readJournal(journalUrl, 0) : [];
  await client.query('begin isolation level repeatable read');
  try {
    const findings: Finding[] = [];
    for (const check of [...ledgerChecks, ...settlementChecks, ...deliveryChecks, ...auditLogChecks])
      findings.push(await runCheck(client, check));
    if (!journalUrl) return findings;
    const entriesAfter = await readJournal(journalUrl, entriesBefore.at(-1)?.sequence ?? 0);
    await client.query(
      'create temporary table journal (operation text, key text, amount bigint, outcome text, after_snapshot boolean) on commit drop',
    );
    for (const [entries, isAfterSnapshot] of [
      [entriesBefore, false],
      [entriesAfter, true],
    ] as const)
      await insertEntries(client, entries, isAfterSnapshot);
    await client.query(
      `create temporary view sandbox_transactions as select transactions.* from transactions join merchants on merchants.id = merchant_id
       where environment = 'sandbox'`,
    );
    await client.query('create index on journal (key, operation)');
    await client.query('analyze journal');
    for (const check of [...journalChecks, ...settlementJournalChecks]) findings.push(await runCheck(client, check));
    return findings;
  } finally {
    await client.query('rollback');
  }
}

const MAX_EXAMPLES = 20;

/** For the metrics and operators' page: they learn of a difference although nobody reads the output. */
export async function recordAudit(client: Client, findings: readonly Finding[]): Promise<void> {
  const differences = findings.flatMap(({ title, differences }) => differences.map(each => `${title}: ${each}`));
  await client.query(
    "insert into audits (scope, name, checks, differences, examples) values ('all', 'books', $1, $2, $3)",
    [findings.length, differences.length, differences.slice(0, MAX_EXAMPLES)],
  );
}

async function insertEntries(client: Client, entries: AuditedEntry[], isAfterSnapshot: boolean): Promise<void> {
  for (let i = 0; i < entries.length; i += MAX_PAGE_ROWS) {
    await client.query(
      `insert into journal select operation, key, amount, outcome, $2
       from jsonb_populate_recordset(null::journal, $1::jsonb)`,
      [JSON.stringify(entries.slice(i, i + MAX_PAGE_ROWS)), isAfterSnapshot],
    );
  }
}

async function runCheck(client: Client, { title, count, differences }: Check): Promise<Finding> {
  const counted = await client.query<{ count: string }>(count);
  const { rows } = await client.query<{ difference: string }>(differences);
  return { title, count: Number(counted.rows[0]?.count ?? 0), differences: rows.map(({ difference }) => difference) };
}
