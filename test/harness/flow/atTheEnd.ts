/** Stops everything that a test has started, in reverse order, however the test ends. */
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

/** Call this right after the start: it stops at the end of the test, or outside tests at the end of the file. */
export const atTheEnd = (stop: Stop): void => void (ofTest ?? ofFile).push(stop);

/** Returns a function that reports whether the calling test, or the code outside tests, is over. */
export function endOfTest(): () => boolean {
  const number = testNumber;
  return () => number !== testNumber;
}

/** If one stop fails, the remaining stops still run. */
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
