const REPORT_INTERVAL_MS = 5000;

/** Prints new steps immediately, and progress within a step every few seconds. */
export function reporter(subject: string): (progress: string) => void {
  let printedAt = 0;
  let lastKind = '';
  return progress => {
    const kind = progress.replace(/\d+/g, '');
    if (kind === lastKind && Date.now() - printedAt < REPORT_INTERVAL_MS) return;
    [lastKind, printedAt] = [kind, Date.now()];
    console.info(`${subject}: ${progress}`);
  };
}

const begun = performance.now();

/** Prints that a part of `npm start` is up, and the time since its start. */
export async function reportPart<T>(name: string, starting: Promise<T>): Promise<T> {
  const result = await starting;
  console.info(`  ${name}: up after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return result;
}
