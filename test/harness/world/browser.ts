/** One browser for each Jest process. */
import { type Browser, chromium } from 'playwright-core';
import type { BrowserExecutable } from '../browser/executable.cjs';
import { stopAtTheEnd } from './endOfRun';

/** A long timeout, which only a broken page reaches. */
export const PATIENCE_MS = 120_000;

/** The browser that the setup of the run has found, or a sentence that says what to install. */
function foundBrowser(): BrowserExecutable {
  const { TEST_BROWSER = '', TEST_BROWSER_PROBLEM } = process.env;
  if (TEST_BROWSER_PROBLEM) throw new Error(TEST_BROWSER_PROBLEM);
  return JSON.parse(TEST_BROWSER);
}

async function launch(): Promise<Browser> {
  const { executablePath, args, env } = foundBrowser();
  return chromium.launch({
    executablePath,
    // Pages that share a process start faster.
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

/** For a browser that no longer responds, and so cannot be awaited; it ends with the process at the latest. */
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
