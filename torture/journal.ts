import type { JournalEntry } from '../src/local/simulator/state';

const MAX_PAGE = 1000;

export async function readJournal(acquirerUrl: string): Promise<JournalEntry[]> {
  const journal: JournalEntry[] = [];
  for (;;) {
    const after = journal.at(-1)?.sequence ?? 0;
    const answer = await fetch(`${acquirerUrl}/journal?limit=${MAX_PAGE}&after=${after}`);
    const page = (await answer.json()) as JournalEntry[];
    journal.push(...page);
    if (page.length < MAX_PAGE) return journal;
  }
}
