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
