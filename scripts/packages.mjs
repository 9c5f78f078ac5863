// Checks package-lock.json: every package has an integrity hash, and production packages have accepted licences.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const entries = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = path => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const ACCEPTED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);
/** Packages whose package.json names no licence (taken from their LICENSE file) or that contain only data. */
const LICENCES_READ = { 'caniuse-lite': 'CC-BY-4.0', 'png-js': 'MIT', unionfs: 'Unlicense' };

/**
 * Versions whose binaries for other platforms the registry did not carry when they were locked, so that their hashes are
 * unknown. `npm run lock` adds them once it does.
 */
const VERSIONS_WITHOUT_HASHES = {
  '@biomejs/cli': '2.6.6',
  '@oxc-parser/binding': '0.155.0',
  '@rolldown/binding': '1.2.18',
  '@swc/core': '1.16.22',
  '@unrs/resolver-binding': '1.13.0',
};
const isForOtherMachines = (name, { optional, version, os = [], cpu = [] }) =>
  optional &&
  !(os.includes('linux') && (cpu.includes('x64') || cpu.includes('arm64'))) &&
  Object.entries(VERSIONS_WITHOUT_HASHES).some(([parent, known]) => name.startsWith(`${parent}-`) && version === known);

const isAccepted = licence =>
  licence
    .split(/[() ]+|AND/)
    .filter(Boolean)
    .every(part => ACCEPTED_LICENCES.has(part));

const problems = entries.flatMap(([path, entry]) => {
  const name = nameOf(path);
  const licence = entry.license ?? LICENCES_READ[name] ?? 'none';
  return [
    ...(entry.integrity || isForOtherMachines(name, entry) ? [] : [`${name} has no integrity hash`]),
    ...(entry.resolved ? [`${name} has a registry URL`] : []),
    ...(entry.dev || entry.devOptional || isAccepted(licence) || licence === LICENCES_READ[name]
      ? []
      : [`${name} has the licence ${licence}`]),
  ];
});
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
