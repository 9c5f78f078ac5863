/** The documentation: line lengths, a short README, and valid links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fromRoot } from '../src/platform/root';

const MAX_LINE_CHARACTERS = 120;
const MAX_README_LINES = 160;

const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
const guides = readdirSync(fromRoot('docs'))
  .filter(name => name.endsWith('.md'))
  .map(name => `docs/${name}`);
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'prisma/README.md',
  'workflows/README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...guides,
];

interface Line {
  number: number;
  text: string;
}

/** The lines outside code blocks. */
function linesOf(file: string): Line[] {
  let isCode = false;
  return read(file)
    .split('\n')
    .map((text, i) => ({ number: i + 1, text }))
    .filter(({ text }) => {
      const isFence = /^\s*```/.test(text);
      if (isFence) isCode = !isCode;
      return !isCode && !isFence;
    });
}

const isTable = (text: string): boolean => /^\s*\|/.test(text);
const isLinkOnly = (text: string): boolean =>
  /^\s*(?:[-*] |\d+\. )?(?:\[[^\]]*\]\([^)]*\)|\[[^\]]*\]: \S+|<https?:[^>]*>)[.,;]?$/.test(text);

/** Displayed characters, not code units. */
const lengthOf = (text: string): number => [...text].length;

/** GitHub's rule: lower case, no punctuation, dashes for spaces, and a number for a repeated heading. */
function anchorsOf(file: string): string[] {
  const times = new Map<string, number>();
  return linesOf(file).flatMap(({ text }) => {
    const [, heading] = /^#{1,6} +(.*?) *#*$/.exec(text) ?? [];
    if (heading === undefined) return [];
    const plain = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
    const anchor = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return [before === 0 ? anchor : `${anchor}-${before}`];
  });
}

/** Links, which may be broken over two lines. Code contains no links. */
const linksOf = (file: string): string[] => {
  const prose = linesOf(file)
    .map(({ text }) => text)
    .join('\n')
    .replace(/(?<!\[)`[^`\n]*`(?!\])/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/^\[[^\]]+\]: (\S+)/gm)].map(([, to = '']) => to);
};

/** The problem with a relative link; undefined for a valid link. */
function problemOf(file: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (target.startsWith('..')) return `${link} leads out of the project`;
  if (!existsSync(fromRoot(target))) return `${link}: there is no ${target}`;
  if (anchor !== undefined && !anchorsOf(target).includes(decodeURIComponent(anchor)))
    return `${link}: ${target} has no such heading`;
  return undefined;
}

describe.each(documents)('%s', file => {
  it(`has no line of prose longer than ${MAX_LINE_CHARACTERS} characters`, () => {
    const long = linesOf(file)
      .filter(({ text }) => lengthOf(text) > MAX_LINE_CHARACTERS && !isTable(text) && !isLinkOnly(text))
      .map(({ number, text }) => `${file}:${number} has ${lengthOf(text)}`);
    expect(long).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    const relative = linksOf(file).filter(link => !/^[a-z][a-z+.-]*:/i.test(link));
    expect(relative.flatMap(link => problemOf(file, link) ?? [])).toEqual([]);
  });
});

describe('README.md', () => {
  it(`has at most ${MAX_README_LINES} lines`, () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  });

  it('links to every guide', () => {
    const linked = linksOf('README.md');
    expect([...guides, 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter(to => !linked.includes(to))).toEqual(
      [],
    );
  });
});
