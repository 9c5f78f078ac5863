import { readFileSync } from 'node:fs';
import { apiDocuments } from '../../../src/api/rest/apiDocuments';
import { fromRoot } from '../../../src/platform/root';

/** A long text that differs is not shown whole: where it first does is enough. */
function difference(kept: string, said: string): string | undefined {
  const [old, now] = [kept.split('\n'), said.split('\n')];
  const line = now.findIndex((text, i) => text !== old[i]);
  if (kept === said) return undefined;
  return `line ${line + 1} is "${old[line]}", and the program says "${now[line]}". Run \`npm run schema\` and commit what it writes.`;
}

describe.each(Object.entries(apiDocuments()))('%s at the top of the project', (name, said) => {
  it('is what the program says', () => {
    expect(difference(readFileSync(fromRoot(name), 'utf8'), said)).toBeUndefined();
  });

  it('would be found out if it were not', () => {
    expect(difference(said.replace('customer', 'client'), said)).toContain('Run `npm run schema`');
  });

  it('is the same each time', () => expect(apiDocuments()[name]).toBe(said));
});
