// `npm run sbom`: prints the SBOM of production in CycloneDX format. `npm sbom --omit=dev` also omits packages that both
// production and development need, so this runs `npm sbom` on a lock file without development and optional packages.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const read = file => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const { devDependencies: _, ...project } = read('package.json');
const lock = read('package-lock.json');
delete lock.packages[''].devDependencies;
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).filter(([, { dev, devOptional, optional }]) => !dev && !devOptional && !optional),
);

const directory = mkdtempSync(join(tmpdir(), 'recaudo-sbom-'));
writeFileSync(join(directory, 'package.json'), JSON.stringify(project));
writeFileSync(join(directory, 'package-lock.json'), JSON.stringify(lock));
const flags = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const { status, stdout, stderr } = spawnSync('npm', ['sbom', ...flags], { cwd: directory, encoding: 'utf8' });
rmSync(directory, { recursive: true });
if (status !== 0) {
  console.error(stderr);
  process.exit(1);
}
process.stdout.write(stdout);
