/**
 * Loads the program itself and its packages once for all test files of a process, as built, by Node. Jest would load
 * everything again for each file, which took as long as the tests themselves. The test worlds, which outlive a file, are
 * loaded in the same way. Jest loads the test files and the rest of their harness again for each file.
 *
 * Overrides an undocumented method of jest-runtime, so with another version than the verified one Jest loads everything
 * itself. TEST_PATCHES=no does the same. Upstream: https://github.com/jestjs/jest/issues/6694, open.
 */
const { createRequire, isBuiltin } = require('node:module');
const { dirname, join, relative } = require('node:path');
const { default: Runtime } = require('jest-runtime');
const { version } = require('jest-runtime/package.json');

const VERIFIED_VERSION = '30.5.2';

const root = join(__dirname, '../../..');
const BUILT_FOLDERS = /^(src|workflows|prisma\/generated|test\/harness\/world)\//;

class SharedRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    const isOurs = !relative(root, from).startsWith('node_modules');
    if (!isOurs || isBuiltin(name) || name === '@jest/globals') return super.requireModuleOrMock(from, name);
    if (!name.startsWith('.')) return createRequire(from)(name);
    const file = relative(root, join(dirname(from), name));
    return BUILT_FOLDERS.test(file) ? require(join(root, 'dist', file)) : super.requireModuleOrMock(from, name);
  }
}

if (version !== VERIFIED_VERSION)
  console.warn(`jest-runtime ${version} is not verified: Jest loads the program itself`);
module.exports = version === VERIFIED_VERSION && process.env.TEST_PATCHES !== 'no' ? SharedRuntime : Runtime;
