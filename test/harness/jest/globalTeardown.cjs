const { join } = require('node:path');

module.exports = () => require(join(__dirname, '../../../dist/test/harness/world/testServers.js')).stopServers();
