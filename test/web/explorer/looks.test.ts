/** The explorer on a phone and a desktop, in both themes: it fits, is accessible, and is usable by keyboard. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { fromRoot } from '../../../src/platform/root';
import { screens } from '../../harness/browser/accessibility';
import { run, testExplorer } from '../../harness/browser/explorer';
import { sizes } from '../../harness/browser/payers';
import { testApi } from '../../harness/servers/api';

const { visit, enter, signIn, isSignedIn, url, payers } = testExplorer(testApi());
const axe = readFileSync(fromRoot('node_modules/axe-core/axe.min.js'), 'utf8');

async function check(page: Page, name: string): Promise<void> {
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect([name, await page.evaluate(overflow)]).toEqual([name, 0]);
  const violations = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  expect([name, ...violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])]).toEqual([name]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: fromRoot(`screenshots/explorer-${name}.png`) });
}

it.each(screens)('every view fits and is accessible on $name', async ({ name: screen, viewport, colorScheme }) => {
  const page = await visit({ viewport, colorScheme });
  await page.evaluate(`${axe};0`);
  const checkView = (name: string) => check(page, `${screen}-${name}`);
  /** On a phone one pane is shown at a time. */
  const show = async (pane: string) => viewport.width < 600 && page.click(`.panes [data-pane=${pane}]`);
  await checkView('sign-in');
  await signIn(page);
  await isSignedIn(page);
  await checkView('operation');
  await run(page);
  await show('answer');
  await checkView('answer');
  await show('side');
  await checkView('samples');
  await page.getByRole('tab', { name: 'History' }).click();
  await checkView('history');
  await page.getByRole('tab', { name: 'Reference' }).click();
  await checkView('reference');
  await page.getByRole('button', { name: 'createCharge', exact: true }).click();
  await checkView('field');
  await page.getByRole('button', { name: 'CreateCharge', exact: true }).click();
  await checkView('type');
  const background = await page.evaluate<string>(
    "getComputedStyle(document.querySelector('main > *')).backgroundColor",
  );
  expect(background).toBe(colorScheme === 'dark' ? 'rgb(19, 26, 33)' : 'rgb(255, 255, 255)');
});

it('on a phone shows the response after a run, and the operation when one is opened', async () => {
  const page = await enter({ viewport: sizes.phone });
  expect(await page.isVisible('.answer')).toBe(false);
  await run(page);
  expect(await page.isVisible('.operation')).toBe(false);
  await page.getByRole('button', { name: 'Reference' }).click();
  await page.getByRole('button', { name: 'Create a monthly plan' }).click();
  expect(await page.isVisible('.operation')).toBe(true);
});

it('the explorer is reached part by part with the Tab key, which no editor captures', async () => {
  const page = await enter();
  await page.evaluate('document.activeElement.blur()');
  const reached = new Set<string>();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate<string>(`(() => {
        const { activeElement: at } = document;
        const inner = at?.shadowRoot?.activeElement ?? at;
        return inner?.getAttribute('aria-label') ?? inner?.textContent.trim() ?? '';
      })()`),
    );
  }
  const parts = ['Sign out', 'Samples', 'Create a customer', 'Merchant', 'New tab', 'Run', 'Operation', 'Variables'];
  expect(parts.filter(part => !reached.has(part))).toEqual([]);
});

it('the explorer moves through tabs with the arrow keys', async () => {
  const page = await enter();
  await page.getByRole('tab', { name: 'Samples' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Reference', selected: true }).waitFor();
});

it('the explorer is in Spanish, and in English on request', async () => {
  const page = await payers.open(url(), { locale: 'es-CO' });
  await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
  await page.getByRole('button', { name: 'Explorar sin iniciar sesión' }).click();
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

it('the explorer shows all of its tabs at 1280 pixels, in Spanish too', async () => {
  const page = await payers.open(url(), { locale: 'es-CO', viewport: { width: 1280, height: 720 } });
  await page.getByRole('button', { name: 'Explorar sin iniciar sesión' }).click();
  const clipped = await page.evaluate<string[]>(`[...document.querySelectorAll('.side [role=tab]')].filter(tab => {
    const { right } = tab.getBoundingClientRect();
    return right > tab.parentElement.getBoundingClientRect().right + 0.5 || tab.scrollWidth > tab.clientWidth;
  }).map(tab => tab.textContent)`);
  expect(clipped).toEqual([]);
});

it('the explorer has resizable panes, by mouse and keyboard, and keeps their sizes', async () => {
  const page = await enter();
  const widthOf = async (pane: string) => Math.round((await page.locator(pane).boundingBox())?.width ?? 0);
  const before = [await widthOf('.side'), await widthOf('.answer')];
  const side = page.getByRole('separator', { name: 'Help width' });
  const box = await side.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 3, 300);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 103, 300);
  await page.mouse.up();
  const answer = page.getByRole('separator', { name: 'Response width' });
  const value = Number(await answer.getAttribute('aria-valuenow'));
  await answer.press('ArrowRight');
  expect(Number(await answer.getAttribute('aria-valuenow'))).toBe(value - 2);
  const after = [await widthOf('.side'), await widthOf('.answer')];
  expect(after[0]).toBeGreaterThan((before[0] ?? 0) + 50);
  expect(after[1]).toBeLessThan(before[1] ?? 0);
  await page.reload();
  await answer.waitFor();
  expect([await widthOf('.side'), await widthOf('.answer')]).toEqual(after);
});

it('the explorer has the selected theme, regardless of the system, also at the next visit', async () => {
  const page = await enter({ colorScheme: 'light' });
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Theme: system' }).click();
  expect(await ground()).toBe(light);
  await page.getByRole('button', { name: 'Theme: light' }).click();
  expect(await ground()).not.toBe(light);
  await page.reload();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  expect(await ground()).not.toBe(light);
});
