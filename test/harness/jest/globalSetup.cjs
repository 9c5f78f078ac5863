/** Builds what has changed, and starts the servers that all tests of the run share. */
const { execFileSync } = require('node:child_process');
const { mkdirSync, readdirSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { transformFileSync } = require('@swc/core');
const { findBrowser } = require('../browser/executable.cjs');

const root = join(__dirname, '../../..');
const BUILT_WORLD = join(root, 'dist/test/harness/world');

/** A compile cache for about a hundred processes, which would each compile the same modules. */
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled');

module.exports = async () => {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
  compileHarness();
  chooseBrowser();
  await require(join(BUILT_WORLD, 'testServers.js')).startServers();
};

/** For Node, which loads test/harness/world: see runtime.cjs. */
function compileHarness() {
  const harness = join(root, 'test/harness');
  const options = { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } };
  for (const name of readdirSync(harness, { recursive: true, encoding: 'utf8' }).filter(name =>
    /(?<!\.d)\.ts$/.test(name),
  )) {
    const output = join(root, 'dist/test/harness', name.replace(/ts$/, 'js'));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, transformFileSync(join(harness, name), { ...options, sourceMaps: 'inline' }).code);
  }
}

/** Reported once for the whole run. Without a browser only the tests that need it fail. */
function chooseBrowser() {
  try {
    const browser = findBrowser();
    console.info(`Browser: ${browser.name}`);
    process.env.TEST_BROWSER = JSON.stringify(browser);
  } catch (error) {
    process.env.TEST_BROWSER_PROBLEM = error.message;
    console.warn(error.message);
  }
}
