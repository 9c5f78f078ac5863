/**
 * Loads the program itself, and its packages, once for all test files of a process: as it was built, by Node. Jest would
 * load all of it anew for each file, which took as long as the tests themselves. So are the test worlds, which outlive a
 * file. Test files and the rest of their harness are loaded by Jest, for each file anew.
 */
const { createRequire, isBuiltin } = require('node:module');
const { dirname, join, relative } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const root = join(__dirname, '../../..');
const BUILT_FOLDERS = /^(src|workflows|prisma\/generated|test\/harness\/world)\//;

module.exports = class SharedRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    const isOurs = !relative(root, from).startsWith('node_modules');
    if (!isOurs || isBuiltin(name) || name === '@jest/globals') return super.requireModuleOrMock(from, name);
    if (!name.startsWith('.')) return createRequire(from)(name);
    const file = relative(root, join(dirname(from), name));
    return BUILT_FOLDERS.test(file) ? require(join(root, 'dist', file)) : super.requireModuleOrMock(from, name);
  }
};
