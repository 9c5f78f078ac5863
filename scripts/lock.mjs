// Completes package-lock.json after `npm install`. npm omits optional platform binaries that the registry does not carry,
// and `npm ci` then rejects the lock file. This adds their entries: the version is exact and the name contains the
// platform. Integrity hashes are added if the registry has them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['linux', 'darwin', 'win32', 'android', 'freebsd', 'openharmony'];
const processors = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32'];

let added = 0;
for (const [path, { optionalDependencies = {}, dev, license, engines }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (lock.packages[`${path}/node_modules/${name}`] || lock.packages[`node_modules/${name}`]) continue;
    const words = name.split('/').at(-1).split('-');
    const cpu = processors.filter(word => words.includes(word));
    const os = systems.filter(word => words.includes(word));
    if (!/^\d/.test(version) || cpu.length !== 1)
      throw new Error(`Cannot determine the platform of ${name} ${version}`);
    const libc = words.some(word => word.startsWith('musl'))
      ? 'musl'
      : words.some(word => word.startsWith('gnu'))
        ? 'glibc'
        : undefined;
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu,
      ...(dev ? { dev } : {}),
      ...(libc ? { libc: [libc] } : {}),
      license,
      optional: true,
      os,
      engines,
    };
    added++;
  }
}
const isHash = text => /^sha512-[A-Za-z0-9+/]{86}==$/.test(text);
const withoutHash = Object.entries(lock.packages).filter(([path, { integrity }]) => path && !integrity);
for (const [path, entry] of withoutHash) {
  const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const view = spawnSync('npm', ['view', `${name}@${entry.version}`, 'dist.integrity'], { encoding: 'utf8' });
  if (isHash(view.stdout.trim())) entry.integrity = view.stdout.trim();
}
const stillWithout = withoutHash.filter(([, { integrity }]) => !integrity).length;

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.info(`Added ${added} entries. ${stillWithout} entries have no hash because the registry does not carry them.`);
