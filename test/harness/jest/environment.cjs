/**
 * A Node environment that keeps compiled test modules from one test file to the next. The program (see runtime.cjs) and
 * the tests share a clock, so that a test can stop it, and share the classes of errors.
 *
 * Jest compiles each module anew for each file (https://github.com/jestjs/jest/issues/7963, open). Replacing Node's
 * `vm.compileFunction`, whose parameters are documented, works in every version; TEST_PATCHES=no disables it.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const compile = vm.compileFunction;
/** The source and the compiled code of V8, by file name. */
const compiled = new Map();

const compileOnce = (source, parameters, options) => {
  const known = compiled.get(options?.filename);
  if (known?.source === source) return compile(source, parameters, { ...options, cachedData: known.data });
  const made = compile(source, parameters, { ...options, produceCachedData: true });
  if (options?.filename && made.cachedData) compiled.set(options.filename, { source, data: made.cachedData });
  return made;
};
if (process.env.TEST_PATCHES !== 'no') vm.compileFunction = compileOnce;

/** Jest sends this message to a worker process when the run is over: the worlds end with the process. */
const CHILD_MESSAGE_END = 2;
process.on('message', ([kind]) => {
  if (kind === CHILD_MESSAGE_END) process.exit(0);
});

module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, { Date, Error, TypeError });
  }
};
