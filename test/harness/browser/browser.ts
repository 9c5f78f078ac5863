import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The first is the same browser without windows, which takes two thirds of the time. */
const EXECUTABLES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** For broken pages only, as that of `until`. */
export const PATIENCE_MS = 120_000;

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(':');
  const onPath = EXECUTABLES.flatMap(name => folders.map(folder => join(folder, name)));
  const apps = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  const executable = [...onPath, ...apps].find(existsSync);
  if (!executable) throw new Error('The tests need Chromium or Chrome: on Debian, apt-get install chromium.');
  return executable;
}

function launch(): Promise<Browser> {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // Pages that share a process need not wait for the start of one each.
  const args = [...sandbox, '--renderer-process-limit=1'];
  return chromium.launch({ executablePath: findChromium(), args, timeout: PATIENCE_MS });
}

/** A real browser for one test file. */
export function testBrowser(): { browser(): Browser; replaceBrowser(): Promise<void> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  return {
    browser: () => browser,
    /** For one that no longer answers, and so cannot be waited for; it ends with the tests' process at the latest. */
    replaceBrowser: async () => {
      console.warn('Chromium did not close its windows and was replaced by another.');
      void browser.close().catch(() => undefined);
      browser = await launch();
    },
  };
}
