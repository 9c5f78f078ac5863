/** The explorer as a developer uses it in a real browser. */

import { answerOf, run, testExplorer, write } from '../../harness/browser/explorer';
import { sizes } from '../../harness/browser/payers';
import { until } from '../../harness/flow/until';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const explorer = testExplorer(api);
const { visit, enter, signIn } = explorer;
const STORED = 'JSON.stringify(localStorage)';

describe('signing in', () => {
  it('accepts the private key of the sandbox, does not store it, and lasts until the user signs out', async () => {
    const page = await visit();
    const { own } = api.merchants();
    await signIn(page, `sk_${'0'.repeat(32)}`);
    await page.getByRole('alert').getByText('The key is not valid').waitFor();
    await signIn(page);
    await page.getByText(own.id).waitFor();
    expect(await page.evaluate(STORED)).not.toContain('sk_');
    expect(await page.inputValue('#private-key')).toBe('');
    await page.reload();
    await page.getByText(own.id).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').waitFor();
    await page.reload();
    await page.getByRole('dialog').waitFor();
  });

  it('is required to run an operation, but not to read the reference', async () => {
    const page = await visit();
    await page.getByRole('button', { name: 'Browse without signing in' }).click();
    await page.getByRole('tab', { name: 'Reference' }).click();
    await page.getByRole('button', { name: 'createCharge', exact: true }).waitFor();
    expect((await run(page)).note).toContain('401');
    await page.getByRole('alert').getByText('Your session has ended').waitFor();
  });

  it('can be limited to reading', async () => {
    const page = await visit();
    await page.check('#read-only');
    await signIn(page);
    await page.getByText('(read only)').waitFor();
    await page.getByRole('tab', { name: 'Samples' }).click();
    await page.getByRole('button', { name: 'Create a customer' }).click();
    expect((await run(page)).answer).toContain('1010');
  });
});

describe('running', () => {
  it('an operation of the reference opens as a draft, and runs with Ctrl+Enter right after signing in', async () => {
    const page = await visit();
    const tryIt = async (tag: string, id: string): Promise<void> => {
      await page.goto(`${api.origin()}/docs/${tag}`);
      await page.locator(`section:has(> .said #${id})`).getByRole('link', { name: 'Try it in the explorer' }).click();
    };
    await tryIt('merchant', 'merchant');
    await signIn(page);
    await explorer.isSignedIn(page);
    await page.keyboard.press('Control+Enter');
    await until(async () => (await answerOf(page)).includes(api.merchants().own.id));
    await tryIt('charges', 'refundChargeOfCustomer');
    await page.getByRole('tab', { name: 'refundCharge', selected: true }).waitFor();
    const variables = await page.getByRole('textbox', { name: 'Variables' }).textContent();
    expect(JSON.parse(variables ?? '')).toEqual({ transaction_id: '', customer_id: '', refund: {} });
  });

  it('a query shows its response, status and complexity; Ctrl+Enter in the editor does the same', async () => {
    const page = await enter();
    const { answer, note } = await run(page);
    expect(JSON.parse(answer).data.merchant).toMatchObject({ id: api.merchants().own.id, name: 'Tienda' });
    expect(note).toMatch(/^200 · \d+ ms · cost \d+$/);
    await write(page, 'Operation', 'query Key { merchant { email } }');
    await page.keyboard.press('Control+Enter');
    await until(async () => (await answerOf(page)).includes('tienda@example.com'));
  });

  it('a refusal shows its reason and the request ID for support', async () => {
    const page = await enter();
    await write(page, 'Operation', 'query ($id: ID!) { customer(customer_id: $id) { id } }');
    await write(page, 'Variables', '{ "id": "a0000000000000000000" }');
    const { answer, note } = await run(page);
    const [error] = JSON.parse(answer).errors;
    expect(error.extensions.error_code).toBe(1005);
    expect(note).toContain(`request ${error.extensions.request_id}`);
  });

  it('variables that are not an object are not sent, and the editor marks an unknown field', async () => {
    const page = await enter();
    await write(page, 'Variables', '{ "id": ');
    expect((await run(page)).note).toBe('Variables: is not a valid JSON object.');
    await write(page, 'Variables', '{}');
    await write(page, 'Operation', 'query { merchant { colr } }');
    await page.waitForSelector('.query .cm-lintRange-error');
    expect(JSON.parse((await run(page)).answer).errors[0].message).toContain('colr');
  });

  it('a document with several operations runs the one at the cursor, with the given headers', async () => {
    const page = await enter();
    await write(
      page,
      'Operation',
      'query One { merchant { id } }\nmutation Two { createCustomer(customer: {\nname: "Ana", email: "ana@example.com" }) { id } }',
    );
    await page.getByRole('tab', { name: 'Headers' }).click();
    await write(page, 'Headers', '{ "Idempotency-Key": "explorer-1" }');
    await page.getByRole('textbox', { name: 'Operation' }).click();
    await page.keyboard.press('Control+End');
    const first = await run(page);
    expect(await run(page)).toMatchObject({ answer: first.answer });
    expect(await api.database.db().customer.count({ where: { ...api.ownRows(), email: 'ana@example.com' } })).toBe(1);
  });

  it('a live subscription shows events as they occur, until it is stopped', async () => {
    const page = await enter();
    await page.getByRole('button', { name: 'Watch events live' }).click();
    const opened = page.waitForResponse('**/graphql/stream');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    expect((await opened).status()).toBe(200);
    const id = await explorer.payers.shop.newCharge(await explorer.payers.shop.newToken());
    await page.getByText('1 received').waitFor();
    expect(JSON.parse(await answerOf(page)).data.events).toMatchObject({ type: 'charge_succeeded', object_id: id });
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  });

  it('the samples in order form a scenario, in which each uses IDs of earlier responses', async () => {
    const page = await enter();
    const titles = [
      'Create a customer',
      'Save a test card',
      'Charge the card',
      'Create a monthly plan',
      'Subscribe the customer',
      'Read the history of the subscription',
      'Customers with their charges and subscriptions',
    ];
    let last = '';
    for (const title of titles) {
      await page.getByRole('button', { name: title }).click();
      const { answer } = await run(page);
      expect([title, JSON.parse(answer).errors]).toEqual([title, undefined]);
      last = answer;
    }
    expect(JSON.parse(last).data.customers.nodes[0]).toMatchObject({
      name: 'María Gómez',
      charges: { edges: [{ node: { status: 'completed' } }, { node: { status: 'completed' } }] },
      subscriptions: { edges: [{ node: { status: 'active', plan: { name: 'Mensual' } } }] },
    });
  });
});

describe('the reference', () => {
  it('is searched with Ctrl+K, links fields to types, and opens an operation in a tab', async () => {
    const page = await enter({ viewport: sizes.desktop });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('createsub');
    await page.getByRole('button', { name: 'createSubscription', exact: true }).click();
    await page.getByText('Creates a subscription.').waitFor();
    await page.getByRole('button', { name: 'CreateSubscription', exact: true }).click();
    await page.getByText('Last day of the trial').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Open in a tab' }).click();
    await page.getByRole('tab', { name: 'createSubscription', selected: true }).waitFor();
    expect(JSON.parse((await run(page)).answer).errors[0].extensions.error_code).toBe(1005);
  });
});

describe('the editor', () => {
  it('completes names from the schema, and links a name to the reference', async () => {
    const page = await enter();
    await write(page, 'Operation', 'query { merchant { customers_b');
    await page.keyboard.type('a');
    await page.getByRole('option', { name: 'customers_balance' }).waitFor();
    await page.keyboard.press('Escape');
    await page
      .locator('.query .cm-line')
      .getByText('merchant', { exact: true })
      .click({ modifiers: ['Control'] });
    await page.getByRole('heading', { name: 'merchant', exact: true }).waitFor();
  });
});

describe('the storage of the browser', () => {
  it('keeps tabs and history after a reload, but no headers and no texts with a card number', async () => {
    const page = await enter();
    await write(page, 'Operation', 'query Kept { merchant { id } }');
    await page.getByRole('tab', { name: 'Headers' }).click();
    await write(page, 'Headers', '{ "x-note": "a secret" }');
    await run(page);
    await page.getByRole('button', { name: 'Save a test card' }).click();
    await run(page);
    expect(await page.evaluate(STORED)).not.toMatch(/4111|a secret/);
    await page.reload();
    await page.getByRole('tab', { name: 'Kept', selected: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'SaveCard' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: /^Kept/ }).click();
    expect(await page.getByRole('tab', { name: 'Kept' }).count()).toBe(2);
    await page.getByRole('button', { name: 'Close this tab' }).click();
    expect(await page.getByRole('tab', { name: 'Kept' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Clear history' }).click();
    await page.getByText('in this browser only').waitFor();
  });
});
