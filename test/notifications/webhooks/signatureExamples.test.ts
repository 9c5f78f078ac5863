/** Runs the documented examples of signature verification. A missing interpreter is reported as a skipped test. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sign } from '../../../src/gateway/acquirer/signature';
import { fromRoot } from '../../../src/platform/root';
import { runnable } from '../../harness/flow/interpreters';

const documentation = readFileSync(fromRoot('docs/webhooks.md'), 'utf8');
const exampleIn = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(documentation)?.[1] ?? '';

const languages = [
  ['js', process.execPath, ['-e'], 'console.log(isGenuine(...process.argv.slice(1)))'],
  ['python', 'python3', ['-c'], 'import sys\nprint(str(is_genuine(*sys.argv[1:])).lower())'],
  ['php', 'php', ['-r'], 'echo var_export(is_genuine($argv[1], $argv[2], $argv[3]), true);'],
] as const;

describe.each(runnable(languages))('%s', (language, program, flags, call) => {
  const secret = 'whsec_0123456789';
  const body = '{"id":"e1","text":"año"}';
  const run = (...args: string[]): string => {
    const separator = language === 'php' ? ['--'] : [];
    const { stdout, stderr } = spawnSync(
      program,
      [...flags, `${exampleIn(language)}\n${call}`, ...separator, ...args],
      {
        encoding: 'utf8',
      },
    );
    return stdout.trim() || stderr;
  };

  it('accepts our signature, also in a list of signatures', () => {
    expect(run(secret, sign(secret, body), body)).toBe('true');
    const [timestamp, signature] = sign(secret, body).split(',');
    expect(run(secret, `${timestamp},v1=${'0'.repeat(64)},${signature}`, body)).toBe('true');
  });

  it('rejects another secret, another body, an old timestamp, and a malformed signature', () => {
    expect(run('whsec_other', sign(secret, body), body)).toBe('false');
    expect(run(secret, sign(secret, body), `${body} `)).toBe('false');
    expect(run(secret, sign(secret, body, Date.now() - 400_000), body)).toBe('false');
    expect(run(secret, `t=1,v1=short`, body)).toBe('false');
  });
});
