/** Tests the search for card data with planted card data, which it must find. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CardDataSearch, canaries, canary } from './harness/cards/canaries';
import { testDatabase } from './harness/servers/database';
import { inDatabase } from './harness/world/database';

/**
 * Other numbers than in the other tests, because the search at the end of the run would find them in the database.
 */
const number = '6011000990139424';
const code = '846';
const search = new CardDataSearch([number], [code]);

const encodings = (text: string): [string, string][] => [
  ['in plain text', text],
  ['in hex', Buffer.from(text).toString('hex')],
  ...['', 'a', 'ab'].map(
    (prefix, i) =>
      [`in base64, shifted by ${i}`, Buffer.from(`${prefix}${text}, and more`).toString('base64')] as [string, string],
  ),
];
const PLANTED_TEXTS = [
  ...encodings(number),
  ...encodings(`{"cvv2":"${code}"}`),
  ['a code next to its label', `cvv2 = '${code}'`],
] as [string, string][];

describe('a card number or a security code', () => {
  it.each(PLANTED_TEXTS)('is found in a text: %s', (_, text) => {
    expect(search.inText(`before ${text} after`)).not.toEqual([]);
  });

  it('is covered if other tests use it, or if it is a documented test number', () => {
    for (const text of [canary.visa, canary.long, '4000000000000119', `{"cvv2":"${canary.cvv2}"}`])
      expect(canaries.inText(text)).not.toEqual([]);
  });

  it('is not found in similar but harmless text', () => {
    expect(canaries.inText(`{"ms":917,"id":"k7391","card_number":"492938XXXXXX7748"}`)).toEqual([]);
  });

  it.each(PLANTED_TEXTS)('is found in a text file or a binary file: %s', (_, text) => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-planted-'));
    mkdirSync(join(directory, 'deep'));
    const file = join(directory, 'deep', 'file');
    writeFileSync(file, Buffer.concat([Buffer.of(0, 255, 10), Buffer.from(text), Buffer.of(10, 0)]));
    writeFileSync(join(directory, 'harmless'), 'nothing here');
    expect(search.inFiles(directory)).toEqual([file]);
    rmSync(directory, { recursive: true });
  });

  describe('in a table', () => {
    const database = testDatabase();
    const merchant = (name: string) =>
      database.db().merchant.create({
        data: { id: 'm1', environment: 'sandbox', name, email: 'x@example.com' },
      });
    const searchTables = () => inDatabase(database.url(), client => search.inTables(client));
    afterEach(async () => {
      await database.db().apiKey.deleteMany();
      await database.db().merchant.deleteMany();
    });

    it.each([...encodings(number), ['a bare code', code] as [string, string]])(
      'is found as text: %s',
      async (_, text) => {
        await merchant(text);
        expect(await searchTables()).toEqual([expect.stringContaining('merchants')]);
      },
    );

    it.each([number, code])('is found as bytes: %s', async text => {
      await merchant('Tienda');
      await database.db().apiKey.create({
        data: { id: 'c1', hash: Buffer.from(text), merchant_id: 'm1', kind: 'public', last_four: '0000' },
      });
      expect(await searchTables()).toEqual([expect.stringContaining('api_keys')]);
    });
  });
});
