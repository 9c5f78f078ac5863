/** What this browser keeps of the explorer. Headers are not kept: they may hold a secret. */
import luhn from 'card-validator/dist/luhn-10';

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
  return numbers.some(number => luhn(number.replace(/\D/g, '')));
}

const mayBeKept = ({ query, variables }: Draft): boolean => !holdsCardNumber(`${query}\n${variables}`);

function read<T>(key: string): T[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** A browser may refuse to store anything; then it is for this visit only. */
function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}

type Arranged = 'side' | 'answer' | 'theme';
export const loadArrangement = (name: Arranged): unknown => read<unknown>(`explorer.${name}`)[0];
export const saveArrangement = (name: Arranged, value: unknown): void => write(`explorer.${name}`, [value]);

export const loadTabs = (): Draft[] => read<Draft>('explorer.tabs');
export const saveTabs = (tabs: readonly Draft[]): void =>
  write(
    'explorer.tabs',
    tabs.filter(mayBeKept).map(({ query, variables }) => ({ query, variables })),
  );

export const loadHistory = (): PastRun[] => read<PastRun>('explorer.history');
export const clearHistory = (): void => write('explorer.history', []);

/** The same run again moves to the front. */
export function addToHistory(run: PastRun): void {
  if (!mayBeKept(run)) return;
  const others = loadHistory().filter(({ query, variables }) => query !== run.query || variables !== run.variables);
  write('explorer.history', [run, ...others].slice(0, MAX_HISTORY));
}
