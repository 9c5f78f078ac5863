/** What proves endurance, for a release: see CONTRIBUTING.md. */
const { join } = require('node:path');
const { testPathIgnorePatterns: _, ...jest } = require('../../../package.json').jest;

module.exports = { ...jest, rootDir: join(__dirname, '../../..'), testMatch: ['<rootDir>/test/release/**/*.test.ts'] };
