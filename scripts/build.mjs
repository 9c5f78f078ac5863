// Builds what runs: the Prisma client, the compiled program, the guides as HTML, the workflow bundle and what browsers
// load. With --production it leaves out the programs of development. A step whose inputs are older than its output is
// skipped, so every command may build first without costing a warm start anything.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

process.chdir(`${import.meta.dirname}/..`);

const changed = path => {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map(name => changed(join(path, name))));
};

function step(title, output, inputs, run) {
  const stamp = join('dist', `.${title.replaceAll(' ', '-')}`);
  if (existsSync(output) && existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...inputs.map(changed))) return;
  const started = Date.now();
  process.stdout.write(`Building the ${title} … `);
  return Promise.resolve(run()).then(() => {
    mkdirSync('dist', { recursive: true });
    writeFileSync(stamp, '');
    utimesSync(stamp, started / 1000, started / 1000);
    console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
  });
}

function command(module, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`node_modules/${module}`, ...args], {
    encoding: 'utf8',
  });
  if (status === 0) return;
  console.error(`failed.\n${stdout}${stderr}`);
  process.exit(1);
}

const packages = ['package-lock.json', 'node_modules/.package-lock.json'];

await step(
  'database client',
  'prisma/generated/client.ts',
  ['prisma/schema.prisma', 'prisma.config.ts', ...packages],
  () => command('prisma/build/index.js', 'generate'),
);
await step(
  'program',
  'dist/src/programs/embedded.js',
  ['src', 'workflows', 'prisma/generated', 'tsconfig.json', 'tsconfig.build.json', ...packages],
  () => command('typescript/bin/tsc', '-p', 'tsconfig.build.json'),
);
await step(
  'guides',
  'dist/guides.json',
  ['docs', 'README.md', 'SECURITY.md', 'scripts', 'src/api/rest/openapi/overview.ts', ...packages],
  async () => {
    const { renderGuides } = await import('./guides.mjs');
    const { ABOUT } = await import('../dist/src/api/rest/openapi/overview.js');
    writeFileSync('dist/guides.json', JSON.stringify(renderGuides(ABOUT)));
    cpSync('docs/pictures', 'dist/pictures', { recursive: true });
  },
);
await step(
  'e-mail layout',
  'dist/email.json',
  ['src/notifications/email/payer/layout.html', 'scripts/emails.mjs', ...packages],
  async () => {
    const { compileLayout } = await import('./emails.mjs');
    writeFileSync('dist/email.json', JSON.stringify(compileLayout()));
  },
);
if (!process.argv.includes('--production')) {
  await step(
    'bench and torture',
    'dist/torture/run.js',
    ['bench', 'torture', 'tsconfig.json', ...packages],
    async () => {
      const { build } = await import('esbuild');
      const entryPoints = ['bench/**/*.ts', 'torture/**/*.ts'];
      // Their types are checked by `npm run check`.
      await build({ entryPoints, outdir: 'dist', outbase: '.', platform: 'node', format: 'cjs', sourcemap: true });
    },
  );
}
await step('workflow bundle', 'dist/workflows/bundle.js', ['workflows', 'scripts/build.mjs', ...packages], async () => {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const workflowsPath = resolve('workflows/all.ts');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    // Otherwise these modules are run again for every workflow that wakes. They have no state.
    preloadModules: ['@temporalio/workflow', workflowsPath],
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync('dist/workflows/bundle.js', code);
});
await step(
  'pages',
  'dist/browser/dashboard.js',
  [
    'browser',
    'src/accounts/auditLog/actions.ts',
    'src/events/types.ts',
    'src/payments/cardDetails/brands.ts',
    'src/payments/cardDetails/typed.ts',
    'src/gateway/luhn.ts',
    'src/platform/problems',
    'src/schema/enums/enumName.ts',
    'schema.graphql',
    'operator.graphql',
    'scripts/browser.mjs',
    ...packages,
  ],
  async () => {
    const { bundlePages } = await import('./browser.mjs');
    await bundlePages();
  },
);
