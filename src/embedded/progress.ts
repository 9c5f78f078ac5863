const EVERY_MS = 5000;

/** Prints what goes on: a new kind of work at once, its progress every few seconds. */
export function reporter(what: string): (progress: string) => void {
  let printed = 0;
  let last = '';
  return progress => {
    const kind = progress.replace(/\d+/g, '');
    if (kind === last && Date.now() - printed < EVERY_MS) return;
    [last, printed] = [kind, Date.now()];
    console.info(`${what}: ${progress}`);
  };
}
