/** The tests without servers, for quick feedback: rules, schemas and documents. */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { globalSetup: _, globalTeardown: __, ...jest } = require('../../../package.json').jest;

const rootDir = join(__dirname, '../../..');
const STARTS_SERVERS = /harness\/(servers|world|browser|webhooks|merchant\/(?!random|reference))/;

const isQuick = file =>
  file.endsWith('.test.ts') &&
  !file.startsWith('release') &&
  !STARTS_SERVERS.test(readFileSync(join(rootDir, 'test', file), 'utf8'));

module.exports = {
  ...jest,
  rootDir,
  testMatch: readdirSync(join(rootDir, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(isQuick)
    .map(file => `<rootDir>/test/${file}`),
};
