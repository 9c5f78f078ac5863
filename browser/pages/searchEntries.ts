/** The search of the reference. */
export type SearchEntry = [title: string, place: string, url: string];

const MAX_FOUND = 12;
const NO_MATCH = -100;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}|[_.]/gu, '');

export const wordsOf = (text: string): string[] => plain(text).split(/\s+/).filter(Boolean);

/** The best entries that have every word. A word in the title counts twice. */
export function searchEntries(entries: readonly SearchEntry[], words: readonly string[]): SearchEntry[] {
  const pointsOf = ([title, place]: SearchEntry): number =>
    words.reduce(
      (sum, word) => sum + (plain(title).includes(word) ? 2 : plain(place).includes(word) ? 1 : NO_MATCH),
      0,
    );
  return entries
    .map(entry => ({ entry, points: pointsOf(entry) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry);
}
