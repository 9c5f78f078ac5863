import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { fromRoot } from '../../../src/platform/root';
import { isRelease } from '../flow/tier';

const axe = readFileSync(fromRoot('node_modules/axe-core/axe.min.js'), 'utf8');

/** Without the rules whose violations are never serious, which took half of the time. The impact is that of the rule. */
const RUN_SERIOUS_RULES = `
  axe.run(document, {
    resultTypes: ['violations'], selectors: false, preload: false,
    rules: Object.fromEntries(
      axe._audit.rules
        .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
        .map(({ id }) => [id, { enabled: false }])
    ),
  }).then(({ violations }) => violations)`;

/** Serious and critical violations with their elements. Runs by evaluation, so that the page's own policy is unchanged. */
export async function seriousViolations(page: Page): Promise<unknown[]> {
  // Elements that are still fading in have too little contrast.
  await page.evaluate(
    'Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))).then(() => undefined)',
  );
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(`${axe};0`);
  const violations =
    await page.evaluate<{ impact: string; id: string; nodes: { html: string }[] }[]>(RUN_SERIOUS_RULES);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
}

export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const phone = { width: 360, height: 800 };
const desktop = { width: 1440, height: 900 };

/** Both sizes and both themes; the release tier and screenshots use every combination of them. */
export const screens = [
  { name: 'phone-light', viewport: phone, colorScheme: 'light' },
  { name: 'desktop-dark', viewport: desktop, colorScheme: 'dark' },
  ...(isRelease || process.env.SCREENSHOTS
    ? ([
        { name: 'phone-dark', viewport: phone, colorScheme: 'dark' },
        { name: 'desktop-light', viewport: desktop, colorScheme: 'light' },
      ] as const)
    : []),
] as const;

/** In every size and theme. `name` is that of its screenshots. */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const [before] = [page.viewportSize()];
  for (const { name: screen, viewport, colorScheme } of screens) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect([screen, await overflowOf(page), ...(await seriousViolations(page))]).toEqual([screen, 0]);
    const path = fromRoot(`screenshots/${name}-${screen}.png`);
    if (process.env.SCREENSHOTS) await page.screenshot({ path, fullPage: true });
  }
  if (before) await page.setViewportSize(before);
}
