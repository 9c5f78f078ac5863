/** Metadata and IVA in the dashboard, on the pages and in the dialogs of customers, plans and subscriptions. */
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { readText, toText } from '../../../browser/dashboard/metadata/text';
import { confirm, testSignedInDashboard } from '../../harness/browser/signedInDashboard';
import { testApi } from '../../harness/servers/api';

describe('metadata as a text', () => {
  it('is the same after it was written and read, as in a form', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a: b', ' a', '{', '', 'línea\n2'),
    );
    fc.assert(
      fc.property(fc.dictionary(text, text, { noNullPrototype: true }), metadata => {
        expect(readText(toText(metadata).trim())).toEqual(metadata);
      }),
      { numRuns: 2000 },
    );
  });

  it('is a line for each pair, or JSON if a pair does not fit on a line', () => {
    expect(toText({ canal: 'web', nota: 'a: b', vacio: '' })).toBe('canal: web\nnota: a: b\nvacio:');
    expect(toText({ 'a:b': 'c' })).toBe('{\n  "a:b": "c"\n}');
    expect(readText('canal:web\n\n  tipo : a ')).toEqual({ canal: 'web', tipo: 'a' });
    expect([readText('canal'), readText(': web'), readText('{')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('pages', () => {
  const api = testApi();
  const { enter, payers } = testSignedInDashboard(api);
  const { shop } = payers;
  const fact = (page: Page, section: string, name: string) =>
    page.getByRole('region', { name: section }).locator('dl > div', { hasText: name }).locator('dd');

  it('a customer shows its metadata, and the dialog replaces and removes it', async () => {
    const id = await shop.newCustomer({ metadata: { canal: 'web' } });
    const read = async () => (await api.rest('GET', `/customers/${id}`)).body;
    const page = await enter(`/customers/${id}`);
    expect(await fact(page, 'Metadata', 'canal').textContent()).toBe('web');
    await confirm(page, 'Change', { 'Metadata (optional)': 'canal' });
    await page.locator('dialog[open]').getByText('Write one per line').waitFor();
    await page.locator('dialog[open]').getByLabel('Metadata (optional)').fill('canal: shop\nzona: 3');
    await page.locator('dialog[open]').getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('Changes saved.').waitFor();
    expect((await read()).metadata).toEqual({ canal: 'shop', zona: '3' });
    await fact(page, 'Metadata', 'zona').waitFor();
    await confirm(page, 'Change', { 'Metadata (optional)': '' });
    await page.getByRole('region', { name: 'Metadata' }).waitFor({ state: 'detached' });
    expect(await read()).not.toHaveProperty('metadata');
  });

  it('a plan is created with IVA and metadata, which its page shows and changes', async () => {
    const page = await enter('/plans');
    const created = { Name: 'Oro', Amount: '49900', 'VAT (IVA) included (optional)': '19%' };
    await confirm(page, 'Create plan', { ...created, 'Metadata (optional)': 'canal: web' });
    await page.getByRole('heading', { name: 'Oro' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await fact(page, 'Details', 'VAT (IVA) included').textContent()).toBe('19%');
    expect(await fact(page, 'Metadata', 'canal').textContent()).toBe('web');
    await confirm(page, 'Change', { 'VAT (IVA) included (optional)': '1900' });
    await page.getByText('Changes saved.').waitFor();
    expect((await api.rest('GET', `/plans/${id}`)).body).toMatchObject({ iva: '1900', metadata: { canal: 'web' } });
  });

  it('a subscription shows the IVA of its plan until it has its own', async () => {
    const customer = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    const plan_id = await shop.newPlan({ trial_days: 5, iva: '19%' });
    const { id } = (await shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id })).body;
    const page = await enter(`/subscriptions/${id}`);
    expect(await fact(page, 'Details', 'VAT (IVA) included').textContent()).toBe('19%');
    const fill = { 'VAT (IVA) included (optional)': '5%', 'Metadata (optional)': 'zona: 3' };
    await confirm(page, 'Change VAT and metadata', fill);
    await fact(page, 'Details', 'VAT (IVA) included').getByText('5%', { exact: true }).waitFor();
    expect(await fact(page, 'Metadata', 'zona').textContent()).toBe('3');
    const { body } = await api.rest('GET', `/customers/${customer}/subscriptions/${id}`);
    expect(body).toMatchObject({ iva: '5%', metadata: { zona: '3' } });
  });
});
