/** One browser for each Jest process. */
import { type Browser, chromium } from 'playwright-core';
import type { BrowserExecutable } from '../browser/executable.cjs';
import { stopAtTheEnd } from './endOfRun';

/** An upper bound for broken pages only. */
export const PATIENCE_MS = 120_000;

/** The browser that the setup of the run has found, or the sentence that says what to install. */
function foundBrowser(): BrowserExecutable {
  const { TEST_BROWSER = '', TEST_BROWSER_PROBLEM } = process.env;
  if (TEST_BROWSER_PROBLEM) throw new Error(TEST_BROWSER_PROBLEM);
  return JSON.parse(TEST_BROWSER);
}

async function launch(): Promise<Browser> {
  const { executablePath, args, env } = foundBrowser();
  return chromium.launch({
    executablePath,
    // Pages that share a process need not wait for the start of one each.
    args: [...args, '--renderer-process-limit=1'],
    env: { ...process.env, ...env },
    timeout: PATIENCE_MS,
  });
}

let browser: Promise<Browser> | undefined;

export function sharedBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

/** For a browser that no longer answers, and so cannot be waited for; it ends with the process at the latest. */
export function replaceBrowser(): Promise<Browser> {
  void browser?.then(old => old.close()).catch(() => undefined);
  browser = launch();
  return browser;
}

stopAtTheEnd.push(async () => {
  await (await browser)?.close();
  browser = undefined;
  return [];
});
