import { readFileSync } from 'node:fs';
import { fromRoot } from '../../src/platform/root';
import { generatedFiles } from '../../src/web/reference/generatedFiles';

const read = (path: string): string => readFileSync(fromRoot(path), 'utf8');

/** A long text that differs is not shown whole: where it first does is enough. */
function difference(kept: string, said: string): string | undefined {
  const [old, now] = [kept.split('\n'), said.split('\n')];
  const line = now.findIndex((text, i) => text !== old[i]);
  if (kept === said) return undefined;
  return `line ${line + 1} is "${old[line]}", and the program says "${now[line]}". Run \`npm run schema\` and commit what it writes.`;
}

describe.each(Object.entries(generatedFiles(read)))('%s', (name, said) => {
  it('is what the program says', () => {
    expect(difference(read(name), said)).toBeUndefined();
  });

  it('would be found out if it were not', () => {
    expect(difference(said.replace('the', 'teh'), said)).toContain('Run `npm run schema`');
  });

  it('is the same each time', () => expect(generatedFiles(read)[name]).toBe(said));
});
