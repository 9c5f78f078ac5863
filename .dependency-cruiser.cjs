/** Which file may import which. `npm run check` reports every import that breaks one of these rules. */

/** The groups of src, lowest first: a file imports only from its own group and from groups before it. */
const LAYERS = [
  'workflows/',
  'prisma/generated/',
  'src/platform/',
  'src/gateway/',
  'src/ledger/',
  'src/schema/',
  'src/events/',
  'src/accounts/',
  'src/payments/',
  'src/billing/',
  'src/notifications/',
  'src/reports/',
  'src/sandbox/',
  'src/operations/',
  'src/api/',
  'src/web/',
  'src/local/',
  'src/programs/',
];
const OWN_CODE = '^(src|workflows|prisma|bench|torture|test|browser|examples|scripts)/';
/** Imports packages that production does not have. */
const DEVELOPMENT_ONLY = '^src/local/(mailbox|temporal)/';
/** Captures the layer of a file, or its folder where there are no layers. */
const WITHIN_LAYER = '^(src/[^/]+|workflows|browser|bench|torture|test|scripts)/';
const anchored = layer => `^${layer}`;

module.exports = {
  forbidden: [
    ...LAYERS.map((layer, i) => ({
      name: `layer ${layer}`,
      comment: 'A file imports only from its own layer and from lower layers.',
      severity: 'error',
      from: { path: anchored(layer) },
      to: { path: OWN_CODE, pathNot: LAYERS.slice(0, i + 1).map(anchored) },
    })),
    {
      name: 'every folder of src has a layer',
      comment: 'LAYERS lists each folder of src.',
      severity: 'error',
      from: { path: '^src/', pathNot: LAYERS.map(anchored) },
      to: {},
    },
    {
      name: 'every imported folder of src has a layer',
      comment: 'LAYERS lists each folder of src.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: LAYERS.map(anchored) },
    },
    {
      name: 'no circular imports',
      comment: 'A cycle across layers breaks the rule of a layer.',
      severity: 'error',
      from: { path: WITHIN_LAYER },
      to: { circular: true, viaOnly: { path: '^$1/' } },
    },
    {
      name: 'no circular imports between folders',
      comment: 'A folder and the folders within it may import each other; other folders import one way only.',
      severity: 'error',
      scope: 'folder',
      from: { path: WITHIN_LAYER, pathNot: '^test/harness/' },
      to: { path: '^$1/', circular: true },
    },
    {
      name: 'pages of browser have only browser/shared in common',
      comment: 'What two of them need is moved to browser/shared.',
      severity: 'error',
      from: { path: '^browser/([^/]+)/' },
      to: { path: '^browser/[^/]+/', pathNot: ['^browser/$1/', '^browser/shared/'] },
    },
    {
      name: 'no unresolved imports',
      comment: 'The other rules cannot judge an import whose file is unknown.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'only tests import tests',
      severity: 'error',
      from: { pathNot: '^(test/|scripts/pictures/)' },
      to: { path: '^test/' },
    },
    {
      name: 'workflows import only workflows and Temporal',
      comment: 'Temporal runs workflows in a sandbox without I/O.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { pathNot: ['^workflows/', '^node_modules/@temporalio/(workflow|common)/'] },
    },
    {
      name: 'the rules of billing are pure',
      comment: 'Requests, charges and projections compute the same from a state and an event alone.',
      severity: 'error',
      from: { path: '^src/billing/subscriptions/rules/' },
      to: { pathNot: ['^src/billing/subscriptions/rules/', '^workflows/calendar\\.ts', '^src/platform/money\\.ts'] },
    },
    {
      name: 'only these files decrypt',
      comment:
        'The acquirer client, webhook signatures, replays of a stored secret, and the rotation and check of keys.',
      severity: 'error',
      from: {
        pathNot:
          '^(src/(gateway/acquirer/client|platform/vault/(rotate|storedSecrets|verifyKeys)|notifications/webhooks/delivery/message)\\.ts|test/)',
      },
      to: { path: '^src/platform/vault/unseal\\.ts' },
    },
    {
      name: 'only rotateVault rotates keys',
      severity: 'error',
      from: { pathNot: '^(src/programs/rotateVault\\.ts|test/)' },
      to: { path: '^src/platform/vault/rotate\\.ts' },
    },
    {
      name: 'no development packages in src',
      comment: 'Production is installed without them. `npm start` uses them for its mailbox and its Temporal server.',
      severity: 'error',
      from: { path: '^src/', pathNot: DEVELOPMENT_ONLY },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no development packages in production programs',
      severity: 'error',
      from: { path: '^src/programs/', pathNot: '^src/programs/(embedded|mailbox)\\.ts' },
      to: { path: DEVELOPMENT_ONLY, reachable: true },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: '^node_modules' },
    // The parser does not read TSX. biome.json has the rules for imports of those files.
    exclude: { path: ['\\.tsx$', '^dist/', '^prisma/generated/.*/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.d.cts', '.d.ts', '.json'],
    },
  },
};
