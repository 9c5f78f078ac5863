/** Signing in and out, sessions that end, two tabs, and the frame of every screen. */
import type { Page } from 'playwright-core';
import { hashKey } from '../../../src/accounts/merchants/keys';
import { createSignInCode } from '../../../src/accounts/sessions/signInCodes';
import { overflowOf, screens, seriousViolations } from '../../harness/browser/accessibility';
import { testDashboard } from '../../harness/browser/dashboard';
import { sizes } from '../../harness/browser/payers';
import { eventually } from '../../harness/flow/until';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const { payers, url, visit, signIn, enter, revokeSessions } = testDashboard(api);
const STORED = 'JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie';
const formName = 'Sign in';

const isSignedIn = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
const asksForKey = (page: Page): Promise<void> => page.getByRole('form', { name: formName }).waitFor();
const signOut = async (page: Page): Promise<void> => {
  await page.getByTitle('Account').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
};
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent');
/** Waits for the focus, because a screen appears before it takes the focus. */
const hasTitle = (page: Page, title: string): Promise<void> =>
  eventually(async () => expect([await focused(page), await page.title()]).toEqual([title, `${title} – recaudo`]));

it('the dashboard accepts the private key, does not store it, and stays signed in until the user signs out', async () => {
  const page = await visit();
  await signIn(page, `sk_${'0'.repeat(32)}`);
  await page.getByRole('alert').getByText('The key is not valid').waitFor();
  await signIn(page);
  await isSignedIn(page);
  expect(await page.evaluate(STORED)).not.toContain('sk_');
  await page.reload();
  await isSignedIn(page);
  await signOut(page);
  await asksForKey(page);
  await page.reload();
  await asksForKey(page);
});

it('the dashboard signs in with a link once, which leaves nothing in the URL', async () => {
  const { private_key } = api.merchants().own;
  const db = api.database.db();
  const key = await db.apiKey.findUniqueOrThrow({ where: { hash: hashKey(private_key, api.secret) } });
  const code = await createSignInCode(db, api.secret, { merchant_id: key.merchant_id, key_id: key.id });
  const page = await payers.open(url(`/#code=${code}`), { locale: 'en', viewport: sizes.desktop });
  await isSignedIn(page);
  expect(page.url()).toBe(url('/'));
  await page.context().clearCookies();
  await page.goto('about:blank');
  await page.goto(url(`/#code=${code}`));
  await page.getByRole('alert').getByText('The link was already used').waitFor();
});

it('the dashboard asks again when the session is revoked; open elements keep their state and continue to work', async () => {
  const page = await enter();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('customers');
  await revokeSessions();
  await page.getByRole('alert').getByText('Your session has ended').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await asksForKey(page);
  await signIn(page);
  await page.getByRole('form', { name: formName }).waitFor({ state: 'detached' });
  expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('customers');
  await page.getByRole('img', { name: 'Live', exact: true }).waitFor();
});

it('signing in with another shop shows nothing of the first shop', async () => {
  const page = await enter('/charges');
  await revokeSessions();
  await asksForKey(page);
  await signIn(page, api.merchants().other.private_key);
  await page.waitForURL(url());
  await isSignedIn(page);
  await page.getByTitle('Account').click();
  await page.getByText(api.merchants().other.id).waitFor();
});

it('signing out and in applies to all tabs', async () => {
  const page = await enter();
  const second = await payers.openSecondTab(page, url('/nowhere'));
  await second.getByRole('heading', { name: 'Page not found' }).waitFor();
  // Before the reload the page may notice that its session has ended, and ask by itself.
  await Promise.all([second.waitForEvent('load'), signOut(second)]);
  await asksForKey(second);
  await asksForKey(page);
  await signIn(second);
  await second.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('form', { name: formName }).waitFor({ state: 'detached' });
  await isSignedIn(page);
});

it('the dashboard stays signed in, and reports it, if the server cannot be reached', async () => {
  const page = await enter();
  await isSignedIn(page);
  await page.route('**/session', route => route.abort());
  await signOut(page);
  await page.getByText('you are still signed in').waitFor();
  await isSignedIn(page);
});

it('the dashboard shows test mode on every screen, with a link to the request to go live', async () => {
  const page = await enter('/nowhere');
  await page.getByText('Test mode: no real money moves.').waitFor();
  await page.getByRole('link', { name: 'Request production access' }).click();
  await page.waitForURL(url('/live'));
});

it('the dashboard moves the focus to the title of a new screen, and to the title of the tab', async () => {
  const page = await enter('/nowhere');
  await page.getByRole('link', { name: 'Go to Today' }).press('Enter');
  await isSignedIn(page);
  await hasTitle(page, 'Today');
  await page.goBack();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await hasTitle(page, 'Page not found');
});

it('the dashboard keeps the selected language and theme in every tab', async () => {
  const page = await enter();
  const second = await payers.openSecondTab(page, url());
  await isSignedIn(second);
  await page.getByTitle('Account').click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  const background = 'getComputedStyle(document.body).backgroundColor';
  expect(await page.evaluate(background)).toBe('rgb(12, 17, 22)');
  await second.waitForFunction(`${background} === 'rgb(12, 17, 22)'`);
  await page.getByRole('button', { name: 'Español' }).click();
  await page.getByRole('heading', { name: 'Hoy', exact: true }).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('es');
  await page.evaluate('localStorage.clear()');
});

it.each(screens)('the dashboard fits and is accessible on $name', async ({ viewport, colorScheme }) => {
  const page = await visit('', { viewport, colorScheme });
  const check = async (): Promise<void> => {
    expect([await overflowOf(page), await seriousViolations(page)]).toEqual([0, []]);
  };
  await check();
  await signIn(page);
  await isSignedIn(page);
  await page.getByTitle('Account').click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await check();
  await revokeSessions();
  await asksForKey(page);
  await check();
});
