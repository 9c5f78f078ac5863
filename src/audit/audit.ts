/** Looks at a live database, as it is in one moment, and at the acquirer's journal before and after that moment. */
import type { Client } from 'pg';
import { request } from 'undici';
import { type Check, journalChecks, ledgerChecks } from './checks';

export interface Finding {
  about: string;
  count: number;
  differences: string[];
}

const PAGE = 1000;

interface AuditedEntry {
  sequence: number;
}

async function readJournal(url: string, after: number): Promise<AuditedEntry[]> {
  const entries: AuditedEntry[] = [];
  for (;;) {
    const last = entries.at(-1)?.sequence ?? after;
    const { body } = await request(`${url}/journal?after=${last}&limit=${PAGE}`);
    const page = (await body.json()) as AuditedEntry[];
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
}

/** Without an address of a journal only the books are looked at. */
export async function audit(client: Client, journalUrl: string | undefined): Promise<Finding[]> {
  const before = journalUrl ? await readJournal(journalUrl, 0) : [];
  await client.query('begin isolation level repeatable read');
  try {
    const findings: Finding[] = [];
    for (const check of ledgerChecks) findings.push(await perform(client, check));
    if (!journalUrl) return findings;
    const after = await readJournal(journalUrl, before.at(-1)?.sequence ?? 0);
    await client.query(
      'create temporary table journal (operation text, key text, amount bigint, outcome text, later boolean) on commit drop',
    );
    for (const [entries, later] of [
      [before, false],
      [after, true],
    ] as const)
      await keep(client, entries, later);
    await client.query(
      `create temporary view rehearsed as select transactions.* from transactions join merchants on merchants.id = merchant_id
       where environment = 'sandbox'`,
    );
    await client.query('create index on journal (key, operation)');
    await client.query('analyze journal');
    for (const check of journalChecks) findings.push(await perform(client, check));
    return findings;
  } finally {
    await client.query('rollback');
  }
}

async function keep(client: Client, entries: AuditedEntry[], later: boolean): Promise<void> {
  for (let i = 0; i < entries.length; i += PAGE) {
    await client.query(
      `insert into journal select operation, key, amount, outcome, $2
       from jsonb_to_recordset($1::jsonb) as e (operation text, key text, amount bigint, outcome text)`,
      [JSON.stringify(entries.slice(i, i + PAGE)), later],
    );
  }
}

async function perform(client: Client, { about, count, differences }: Check): Promise<Finding> {
  const counted = await client.query<{ count: string }>(count);
  const found = await client.query<{ what: string }>(differences);
  return { about, count: Number(counted.rows[0]?.count ?? 0), differences: found.rows.map(({ what }) => what) };
}
