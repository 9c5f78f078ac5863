/**
 * Node, with compiled modules kept from one test file to the next. Jest gives each file modules of its own, and compiling
 * them anew was half of the second and a half that loading the API took.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const compile = vm.compileFunction;
/** By file name: its source, and what V8 made of it. */
const compiled = new Map();

vm.compileFunction = (source, parameters, options) => {
  const known = compiled.get(options?.filename);
  if (known?.source === source) return compile(source, parameters, { ...options, cachedData: known.data });
  const made = compile(source, parameters, { ...options, produceCachedData: true });
  if (options?.filename && made.cachedData) compiled.set(options.filename, { source, data: made.cachedData });
  return made;
};

module.exports = TestEnvironment;
