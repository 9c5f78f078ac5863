import { existsSync } from 'node:fs';
import { variables } from '../../src/platform/config/variables';
import { fromRoot } from '../../src/platform/root';
import { read, script, scripts } from '../harness/servers/compose';

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const lastStage = dockerfile.split('FROM').at(-1) ?? '';
  const lines = (instruction: string): string[] =>
    dockerfile
      .split('\n')
      .filter(line => line.startsWith(`${instruction} `))
      .map(line => line.slice(instruction.length + 1));

  it('builds in stages from one exact image and does not run as root', () => {
    const images = lines('FROM').map(line => line.split(' ')[0]);
    expect(images).toHaveLength(3);
    // The same version as in .node-version, which other machines use.
    expect(new Set(images)).toEqual(new Set([`node:${read('.node-version').trim()}-bookworm-slim`]));
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node.split(' || ')).toContain(`^${read('.node-version').split('.')[0]}`);
    expect(lastStage).toContain('\nUSER node\n');
  });

  it('has the certificate authorities that the SDK of Temporal trusts', () => {
    expect(lastStage).toContain('/etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/\n');
  });

  it('builds neither bench nor torture', () => {
    expect(lines('RUN')).toContain('npm run build -- --production');
    expect(JSON.parse(read('tsconfig.build.json')).include).toEqual(['src', 'workflows', 'prisma/generated']);
  });

  it('runs the API, copies what exists, and sets variables that exist', () => {
    expect(JSON.parse(lines('CMD')[0] ?? '').join(' ')).toBe(script('api'));
    const copied = lines('COPY')
      .filter(line => !line.startsWith('--from'))
      .flatMap(line => line.split(' ').slice(0, -1));
    expect(copied.filter(path => !existsSync(fromRoot(path)))).toEqual([]);
    expect(lastStage.match(/^COPY .*\b(src|browser|test)\b.*/gm)).toBeNull();
    const set = lines('ENV').flatMap(line => line.split(' ').map(pair => pair.split('=')[0] ?? ''));
    expect(set.filter(name => !(name in variables))).toEqual([]);
    for (const command of lines('RUN').filter(line => line.startsWith('npm run'))) {
      expect(scripts).toHaveProperty(command.split(' ')[2] ?? '');
    }
  });
});
