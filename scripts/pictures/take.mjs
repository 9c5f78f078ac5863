// `npm run screenshots`: takes the screenshots for README and docs, and the animated tour.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import UPNG from 'upng-js';
import { workflowLists } from '../../dist/src/operations/background/temporalViews.js';
import { findBrowser } from '../../test/harness/browser/executable.cjs';
import { openShop } from './shop.mjs';

const FOLDER = 'docs/pictures';
const DESK = { width: 1280, height: 760 };
const PHONE = { width: 390, height: 844 };
const MAX_COLOURS = 128;
const log = text => console.info(`  ${text}`);

const shop = await openShop({ port: 3999, log });
const { url, private_key, temporal_ui_url, temporal_namespace } = shop.credentials;
const { executablePath, args, env } = findBrowser();
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });

/** Live pages have no event for "finished loading". */
const SETTLE_MS = 800;

async function signIn(options) {
  const context = await browser.newContext({ locale: 'es', ...options });
  const page = await context.newPage();
  await page.goto(`${url}/dashboard`);
  await page.fill('#private-key', private_key);
  await page.keyboard.press('Enter');
  await page.locator('.rail').waitFor();
  return page;
}

/** `ready` is a selector that appears when the page is complete. */
async function show(page, path, ready) {
  await page.goto(path.startsWith('http') ? path : `${url}${path}`);
  await page.locator(ready).first().waitFor();
  await sleep(SETTLE_MS);
}

async function take(name, page) {
  writeFileSync(`${FOLDER}/${name}.png`, await page.screenshot());
  log(`${name}.png`);
}

const [, , unpaid] = shop.people;
const [paying] = shop.people;
const pageOf = ({ id, subscription }) => `/dashboard/subscriptions/${subscription.id}?customer=${id}`;

/** Records frames of an animated PNG, each with its duration. */
function recorder(page) {
  const frames = [];
  return {
    async frame(ms) {
      const picture = UPNG.decode(await page.screenshot());
      frames.push({ pixels: UPNG.toRGBA8(picture)[0], ms });
    },
    save(name) {
      const pixels = frames.map(frame => frame.pixels);
      const pauses = frames.map(frame => frame.ms);
      const bytes = UPNG.encode(pixels, DESK.width, DESK.height, MAX_COLOURS, pauses);
      writeFileSync(`${FOLDER}/${name}.png`, Buffer.from(bytes));
      log(`${name}.png, ${frames.length} frames, ${Math.round(bytes.byteLength / 1024)} KB`);
    },
  };
}

const desk = await signIn({ viewport: DESK });
await show(desk, '/dashboard', '.rail');
await desk.locator('main h2').first().waitFor();
await take('dashboard', desk);
await show(desk, pageOf(unpaid), 'main svg');
await take('life-line', desk);
await show(desk, '/docs/charges', 'pre');
await take('reference', desk);

const phone = await signIn({ viewport: PHONE, colorScheme: 'dark', deviceScaleFactor: 2 });
await show(phone, pageOf(unpaid), 'main svg');
await take('life-line-phone', phone);

const workflow = `${temporal_ui_url}/namespaces/${temporal_namespace}/workflows/subscription-${unpaid.subscription.id}`;
const operator = await (await browser.newContext({ viewport: DESK })).newPage();
await operator.goto(workflow);
await operator.getByText('unpaid').filter({ visible: true }).first().waitFor();
await operator.mouse.move(1000, 640);
await operator.mouse.wheel(0, 900);
await sleep(2 * SETTLE_MS);
await take('temporal', operator);
const { merchant_id } = shop.credentials;
const views = workflowLists({ uiUrl: temporal_ui_url, namespace: temporal_namespace, merchant_id, now: new Date() });
// The view "One merchant" is opened last and stays open.
for (const view of [...views].sort((a, b) => Number(a.name === 'One merchant') - Number(b.name === 'One merchant'))) {
  await operator.goto(`${view.url}&${new URLSearchParams({ savedQuery: view.name })}`);
  await operator.waitForURL(address => !address.searchParams.has('savedQuery'));
}
await operator.getByText('subscription-').first().waitFor();
await sleep(2 * SETTLE_MS);
await take('temporal-list', operator);

log('recording the tour');
const tour = recorder(desk);
await show(desk, '/dashboard', 'main h2');
await tour.frame(2500);
await show(desk, pageOf(paying), 'main svg');
await tour.frame(2500);
const handle = desk.getByRole('slider').first();
await handle.scrollIntoViewIfNeeded();
await handle.focus();
for (let month = 0; month < 5; month++) {
  await desk.keyboard.press('PageUp');
  await tour.frame(500);
}
const move = desk.getByRole('button', { name: /^Mover/ }).last();
await move.click();
for (let i = 0; i < 14; i++) {
  await tour.frame(350);
  await sleep(350);
}
await tour.frame(2500);
await show(desk, pageOf(unpaid), 'main svg');
await tour.frame(3000);
await desk.goto(workflow);
await desk.getByText('unpaid').filter({ visible: true }).first().waitFor();
await sleep(2 * SETTLE_MS);
await tour.frame(3500);
tour.save('tour');

await browser.close();
await shop.close();
process.exit(0);
