/** The documentation shows how a signature is verified. What it shows is run, in every language whose interpreter is here. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sign } from '../../src/acquirer/signature';
import { fromRoot } from '../../src/platform/root';

const documentation = readFileSync(fromRoot('docs/webhooks.md'), 'utf8');
const shown = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(documentation)?.[1] ?? '';

const languages = [
  ['js', process.execPath, ['-e'], 'console.log(isGenuine(...process.argv.slice(1)))', true],
  ['python', 'python3', ['-c'], 'import sys\nprint(str(is_genuine(*sys.argv[1:])).lower())', false],
  ['php', 'php', ['-r'], 'echo var_export(is_genuine($argv[1], $argv[2], $argv[3]), true);', false],
] as const;

const here = languages.filter(([, program, , , always]) => always || spawnSync(program, ['--version']).status === 0);

describe.each(here)('%s', (language, program, flags, ending) => {
  const secret = 'whsec_0123456789';
  const body = '{"id":"e1","text":"año"}';
  const run = (...args: string[]): string => {
    const separator = language === 'php' ? ['--'] : [];
    const { stdout, stderr } = spawnSync(program, [...flags, `${shown(language)}\n${ending}`, ...separator, ...args], {
      encoding: 'utf8',
    });
    return stdout.trim() || stderr;
  };

  it('accepts what we sign, also among other marks', () => {
    expect(run(secret, sign(secret, body), body)).toBe('true');
    const [moment, mark] = sign(secret, body).split(',');
    expect(run(secret, `${moment},v1=${'0'.repeat(64)},${mark}`, body)).toBe('true');
  });

  it('refuses another secret, another body, what is old, and nonsense', () => {
    expect(run('whsec_other', sign(secret, body), body)).toBe('false');
    expect(run(secret, sign(secret, body), `${body} `)).toBe('false');
    expect(run(secret, sign(secret, body, Date.now() - 400_000), body)).toBe('false');
    expect(run(secret, `t=1,v1=short`, body)).toBe('false');
  });
});
