/** Data of the explorer stored in this browser. Headers are not stored: they may contain a secret. */
import { signal } from '@preact/signals';
import { passesLuhn } from '../../src/gateway/luhn';
import { load, save } from '../shared/storage';

const MAX_HISTORY = 50;

export interface Draft {
  query: string;
  variables: string;
}

export interface PastRun extends Draft {
  name: string;
  at: number;
}

/** Whether there are 13 to 19 digits that end as the number of a card does (Luhn). */
function holdsCardNumber(text: string): boolean {
  const numbers = text.match(/\d(?:[ -]?\d){12,18}/g) ?? [];
  return numbers.some(number => passesLuhn(number.replace(/\D/g, '')));
}

const mayBeKept = ({ query, variables }: Draft): boolean => !holdsCardNumber(`${query}\n${variables}`);

export const loadTabs = (): Draft[] => load('explorer.tabs', []);
export const saveTabs = (tabs: readonly Draft[]): void =>
  save(
    'explorer.tabs',
    tabs.filter(mayBeKept).map(({ query, variables }) => ({ query, variables })),
  );

const loadHistory = (): PastRun[] => load('explorer.history', []);
/** Newest first. */
export const pastRuns = signal(loadHistory());

function saveHistory(runs: PastRun[]): void {
  pastRuns.value = runs;
  save('explorer.history', runs);
}
export const clearHistory = (): void => saveHistory([]);
// Changes from other tabs.
addEventListener('storage', () => {
  pastRuns.value = loadHistory();
});

/** The same run again moves to the front. */
export function addToHistory(run: PastRun): void {
  if (!mayBeKept(run)) return;
  const others = pastRuns.value.filter(({ query, variables }) => query !== run.query || variables !== run.variables);
  saveHistory([run, ...others].slice(0, MAX_HISTORY));
}
