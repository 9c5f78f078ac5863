/** Stops everything that a test has started, the last first, however the test ends. */
type Stop = () => unknown;

const ofFile: Stop[] = [];
let ofTest: Stop[] | undefined;
let testNumber = 0;

beforeEach(() => {
  testNumber += 1;
  ofTest = [];
});
afterEach(() => {
  const stops = ofTest ?? [];
  ofTest = undefined;
  testNumber += 1;
  return runAll(stops);
});
afterAll(() => {
  testNumber += 1;
  return runAll(ofFile);
});

/** Call it right after the start: within a test it stops after that test, outside after the last test of the file. */
export const atTheEnd = (stop: Stop): void => void (ofTest ?? ofFile).push(stop);

/** Returns a function that reports whether the calling test, or the part outside of tests, is over. */
export function endOfTest(): () => boolean {
  const number = testNumber;
  return () => number !== testNumber;
}

/** A failing stop does not keep the remaining ones from running. */
async function runAll(stops: Stop[]): Promise<void> {
  const errors: unknown[] = [];
  for (let stop = stops.pop(); stop; stop = stops.pop()) {
    try {
      await stop();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
