/**
 * Loads the program itself, and its packages, once for all test files of a process: as it was built, by Node. Jest would
 * load all of it anew for each file, which took as long as the tests themselves. So are the test worlds, which outlive a
 * file. Test files and the rest of their harness are loaded by Jest, for each file anew.
 *
 * Overrides a method of jest-runtime that is not documented, so another version than the verified one loads as Jest
 * does. TEST_PATCHES=no does the same. Upstream: https://github.com/jestjs/jest/issues/6694, open.
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
