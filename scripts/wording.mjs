// Checks the English of comments, strings, test titles and guides: prints `path:line: word` for every banned word and
// every description or doc comment that is a fragment. Usage: node scripts/wording.mjs [FOLDER or FILE…]
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import ts from 'typescript5';

/** The folders and files that `npm run check` checks. */
const CHECKED = [
  ...['src', 'workflows', 'browser', 'bench', 'torture', 'test', 'scripts', 'prisma', 'examples', 'docs'],
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', '.ci', '.github', 'docker-compose.yml'],
];

const BANNED = new RegExp(
  `\\b(${[
    'some(?:body|one)|every(?:body|one)|nobody|no one|who(?:so)?ever|whatever|whichever|others',
    'g[ia]ve(?:n|s)? back|giving back|look(?:s|ed|ing)? after|asked for|go(?:es|ing)? on|went on',
    '(?:is|are|was|were|be) told|nothing that|not enough funds|has enough funds|soon done|besides',
  ].join('|')})\\b`,
  'gi',
);
/** A question may begin with these words, and so may an instruction ("How to …"). */
const FRAGMENT = /^(?:Of|Whose|What|Which|Where|Once(?! more\b)|So|How(?! to\b))\b(?!.*\?$)/s;

const lineOf = (text, position) => text.slice(0, position).split('\n').length;
const blank = code => code.replace(/[^\n]/g, '.');
const withoutCode = text => text.replace(/`[^`]*`/g, blank);

/** `text` begins at line `line` of the file; `isTitle`: its first word is that of a description, comment or heading. */
function problems(path, line, text, isTitle) {
  const prose = withoutCode(text);
  const found = [...prose.matchAll(BANNED)].map(match => [line + lineOf(prose, match.index) - 1, match[0]]);
  const [fragment] = isTitle ? (FRAGMENT.exec(prose.trim()) ?? []) : [];
  if (fragment) found.push([line, `${fragment} … (a fragment)`]);
  return found.map(([at, word]) => `${path}:${at}: ${word.replace(/\s+/g, ' ')}`);
}

const COMMENT_SIGNS = /^[ \t]*(?:\/\*\*?|\*\/|\*|\/{2,3}|#)?[ \t]?|\*\/\s*$/gm;
const isLineComment = comment => /^(?:\/\/|#)/.test(comment);
const capitalised = text => text.replace(/^[a-z]/, first => first.toUpperCase());

/** Successive line comments are one text. */
function commentProblems(path, text, comments) {
  const merged = [];
  for (const [from, to] of comments) {
    const last = merged.at(-1);
    const isNextLine = last && isLineComment(text.slice(from, to)) && /^\n[ \t]*$/.test(text.slice(last[1], from));
    if (isNextLine && isLineComment(text.slice(...last))) last[1] = to;
    else merged.push([from, to]);
  }
  return merged.flatMap(([from, to]) => {
    const plain = text.slice(from, to).replace(COMMENT_SIGNS, '').replace(/^\n/, '');
    const line = lineOf(text, from) + (/^\/\*\*?[ \t]*\n/.test(text.slice(from, to)) ? 1 : 0);
    return problems(path, line, capitalised(plain), true);
  });
}

const DESCRIPTIONS = ['description', 'summary', 'deprecationReason', 'problem'];
const isDescription = ({ parent }) =>
  (ts.isPropertyAssignment(parent) && DESCRIPTIONS.includes(parent.name.getText())) ||
  (ts.isParenthesizedExpression(parent) && isDescription(parent));
const withoutValues = template => template.slice(1, -1).replace(/\$\{[^{}]*\}/g, '…');
const isTestTitle = node =>
  ts.isCallExpression(node.parent) &&
  node.parent.arguments[0] === node &&
  /^(?:describe|it)\b/.test(node.parent.expression.getText());
/** In tests only titles and comments are prose: other strings are data. */
const isTestData = (path, node) => path.startsWith('test/') && !isTestTitle(node);
/** The source of a pattern, such as `no|none`, is not prose. */
const isPattern = text => /\w\|\w/.test(text);
const textOf = node => (ts.isTemplateExpression(node) ? withoutValues(node.getText()) : node.text);

function codeProblems(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const comments = new Map();
  const found = [];
  (function visit(node) {
    const position = node.getStart(file);
    if (node.kind !== ts.SyntaxKind.JsxText) {
      const around = [ts.getLeadingCommentRanges(text, node.pos), ts.getTrailingCommentRanges(text, node.end)];
      for (const { pos, end } of around.flatMap(ranges => ranges ?? [])) comments.set(pos, end);
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node)) {
      const prose = textOf(node);
      const isTitle = isDescription(node) || isTestTitle(node) || /^[A-Z]\w+ [a-z]/.test(prose);
      const line = lineOf(text, position);
      if (/\S\s+\S/.test(prose) && !isPattern(prose) && !isTestData(path, node))
        found.push(...problems(path, line, isTitle ? capitalised(prose) : prose, isTitle));
    }
    for (const child of node.getChildren(file)) visit(child);
  })(file);
  const inOrder = [...comments].sort(([one], [other]) => one - other);
  return [...found, ...commentProblems(path, text, inOrder)];
}

const comment = /\/\*[\s\S]*?\*\/|(?<=^[ \t]*)\/{2,3}.*/gm;
const hashComment = /(?<=^[ \t]*)#.*/gm;
const rangesOf = (pattern, text) => [...text.matchAll(pattern)].map(({ index, 0: all }) => [index, index + all.length]);

/** Headings and cells must not be fragments. */
function markdownProblems(path, text) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, blank);
  return prose.split('\n').flatMap((line, index) => {
    const [, cells, heading] = /^(?:\|(.*)\||#+ (.*))$/.exec(line) ?? [];
    const titles = heading ? [heading] : cells?.split('|');
    return titles?.flatMap(title => problems(path, index + 1, title, true)) ?? problems(path, index + 1, line, false);
  });
}

const checks = [
  [/\.(?:tsx?|mjs|cjs|js)$/, codeProblems],
  [/\.(?:css|prisma)$/, (path, text) => commentProblems(path, text, rangesOf(comment, text))],
  [/\.yml$|^\.ci\/run$/, (path, text) => commentProblems(path, text, rangesOf(hashComment, text))],
  [/\.md$/, markdownProblems],
];
const root = resolve(import.meta.dirname, '..');
const places = process.argv.slice(2).map(path => relative(root, resolve(path)));
process.chdir(root);
const paths = (places.length > 0 ? places : CHECKED).flatMap(place =>
  statSync(place).isFile() ? [place] : readdirSync(place, { recursive: true }).map(name => `${place}/${name}`),
);
const violations = paths.flatMap(path => {
  const check = checks.find(([name]) => name.test(path))?.[1];
  return check && !/node_modules|generated/.test(path) ? check(path, readFileSync(path, 'utf8')) : [];
});
if (violations.length > 0) {
  console.error(violations.join('\n'));
  process.exitCode = 1;
}
