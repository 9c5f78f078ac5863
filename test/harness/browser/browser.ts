import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function findChromium(): string {
  const places = (process.env.PATH ?? '').split(':').flatMap(folder => names.map(name => join(folder, name)));
  const apps = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  const found = [...places, ...apps].find(existsSync);
  if (!found) throw new Error('The tests need Chromium or Chrome: on Debian, apt-get install chromium.');
  return found;
}

/** A real browser for one test file. */
export function testBrowser(): { browser(): Browser } {
  let browser: Browser;
  beforeAll(async () => {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath: findChromium(), args });
  });
  afterAll(() => browser?.close());
  return { browser: () => browser };
}
