import { readFileSync } from 'node:fs';
import { fromRoot } from '../../src/platform/root';
import { generatedFiles } from '../../src/web/reference/generatedFiles';

const read = (path: string): string => readFileSync(fromRoot(path), 'utf8');

/** A long text is shown from its first difference on. */
function difference(current: string, expected: string): string | undefined {
  const [old, now] = [current.split('\n'), expected.split('\n')];
  const line = now.findIndex((text, i) => text !== old[i]);
  if (current === expected) return undefined;
  return `line ${line + 1} is "${old[line]}", and the program says "${now[line]}". Run \`npm run schema\` and commit what it writes.`;
}

describe.each(Object.entries(generatedFiles(read)))('%s', (name, said) => {
  it('is up to date with the program', () => {
    expect(difference(read(name), said)).toBeUndefined();
  });

  it('is detected when it is outdated', () => {
    expect(difference(said.replace('the', 'teh'), said)).toContain('Run `npm run schema`');
  });

  it('is deterministic', () => expect(generatedFiles(read)[name]).toBe(said));
});
