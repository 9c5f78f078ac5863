/** The endurance tests for a release: see CONTRIBUTING.md. */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { testPathIgnorePatterns: _, ...jest } = require('../../../package.json').jest;

const rootDir = join(__dirname, '../../..');
const test = join(rootDir, 'test');

/** These files test every size and theme in this tier, more random histories, or more repetitions. */
const hasMoreTests = file =>
  file.endsWith('.test.ts') &&
  /\b(screens|inAnyHistory|HISTORIES|isRelease)\b/.test(readFileSync(join(test, file), 'utf8'));

process.env.TEST_TIER = 'release';
module.exports = {
  ...jest,
  rootDir,
  testMatch: [
    '<rootDir>/test/release/**/*.test.ts',
    ...readdirSync(test, { recursive: true, encoding: 'utf8' })
      .filter(hasMoreTests)
      .map(file => `<rootDir>/test/${file}`),
  ],
};
