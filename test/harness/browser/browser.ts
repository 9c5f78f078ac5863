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

/** A real browser for one test file. */
export function testBrowser(): { browser(): Browser } {
  let browser: Browser;
  beforeAll(async () => {
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    // Pages that share a process need not wait for the start of one each.
    const args = [...sandbox, '--renderer-process-limit=1'];
    browser = await chromium.launch({ executablePath: findChromium(), args });
  });
  afterAll(() => browser?.close());
  return { browser: () => browser };
}
