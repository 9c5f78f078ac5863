export interface BrowserExecutable {
  /** For the line that says which browser is used. */
  name: string;
  executablePath: string;
  args: string[];
  /** Variables that the browser needs besides those of the process. */
  env: Record<string, string>;
}

/** Throws one sentence that says what to install when there is no browser. */
export function findBrowser(): BrowserExecutable;
