/** Reconciles a live database with the acquirer's journal, which is read before and after the database snapshot. */
import type { Client } from 'pg';
import { request } from 'undici';
import { auditLogChecks } from './auditLogChecks';
import { type AuditProof, verifySignatures } from './auditSignatures';
import { type Check, type Finding, ledgerChecks } from './checks';
import { deliveryChecks } from './deliveryChecks';
import { journalChecks } from './journalChecks';
import { settlementChecks, settlementJournalChecks } from './settlementChecks';

const MAX_PAGE_ROWS = 1000;

interface ReconciledEntry {
  sequence: number;
}

async function readJournal(url: string, after: number): Promise<ReconciledEntry[]> {
  const entries: ReconciledEntry[] = [];
  for (;;) {
    const last = entries.at(-1)?.sequence ?? after;
    const { body } = await request(`${url}/journal?after=${last}&limit=${MAX_PAGE_ROWS}`);
    const page = (await body.json()) as ReconciledEntry[];
    entries.push(...page);
    if (page.length < MAX_PAGE_ROWS) return entries;
  }
}

/** Without a journal URL, checks the database only. */
export async function reconcile(client: Client, journalUrl: string | undefined, proof: AuditProof): Promise<Finding[]> {
  const lastBefore = journalUrl ? await storeJournal(client, await readJournal(journalUrl, 0)) : 0;
  await client.query('begin isolation level repeatable read');
  try {
    const findings: Finding[] = [];
    for (const check of [...ledgerChecks, ...settlementChecks, ...deliveryChecks, ...auditLogChecks])
      findings.push(await runCheck(client, check));
    findings.push(...(await verifySignatures(client, proof)));
    if (!journalUrl) return findings;
    const entriesAfter = JSON.stringify(await readJournal(journalUrl, lastBefore));
    await client.query(`select set_config('audit.entries_after', $1, false)`, [entriesAfter]);
    for (const check of [...journalChecks, ...settlementJournalChecks]) findings.push(await runCheck(client, check));
    return findings;
  } finally {
    await client.query('rollback');
    await client.query('discard temp');
  }
}

const MAX_EXAMPLES = 20;

/** Stores the result for the metrics and the operators' page. */
export async function recordReconciliation(client: Client, findings: readonly Finding[]): Promise<void> {
  const differences = findings.flatMap(({ title, differences }) => differences.map(each => `${title}: ${each}`));
  await client.query(
    "insert into audits (scope, name, checks, differences, examples) values ('all', 'books', $1, $2, $3)",
    [findings.length, differences.length, differences.slice(0, MAX_EXAMPLES)],
  );
}

/**
 * Creates the views `journal` and `sandbox_transactions`, and returns the last sequence number. The journal is stored
 * before the snapshot: a long writing transaction would block readers of events. Later entries are few and are passed in a
 * setting.
 */
async function storeJournal(client: Client, entries: ReconciledEntry[]): Promise<number> {
  await client.query('create temporary table earlier_journal (operation text, key text, amount bigint, outcome text)');
  for (let i = 0; i < entries.length; i += MAX_PAGE_ROWS)
    await client.query(
      'insert into earlier_journal select * from jsonb_populate_recordset(null::earlier_journal, $1::jsonb)',
      [JSON.stringify(entries.slice(i, i + MAX_PAGE_ROWS))],
    );
  await client.query('create index on earlier_journal (key, operation)');
  await client.query('analyze earlier_journal');
  await client.query(`create temporary view journal as select *, false as after_snapshot from earlier_journal
    union all select *, true from jsonb_populate_recordset(null::earlier_journal, current_setting('audit.entries_after')::jsonb)`);
  await client.query(
    `create temporary view sandbox_transactions as select transactions.* from transactions join merchants on merchants.id = merchant_id
     where environment = 'sandbox'`,
  );
  return entries.at(-1)?.sequence ?? 0;
}

async function runCheck(client: Client, { title, count, differences }: Check): Promise<Finding> {
  const counted = await client.query<{ count: string }>(count);
  const { rows } = await client.query<{ difference: string }>(differences);
  return { title, count: Number(counted.rows[0]?.count ?? 0), differences: rows.map(({ difference }) => difference) };
}
