/** The search for card numbers is itself searched: what is planted must be found. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canaries, canary, Search } from './harness/cards/canaries';
import { inDatabase, testDatabase } from './harness/servers/database';

/** Planted ones are not those of the other tests: the end of the run would find them in the database's own files. */
const number = '6011000990139424';
const code = '846';
const search = new Search([number], [code]);

const forms = (text: string): [string, string][] => [
  ['in clear', text],
  ['in hex', Buffer.from(text).toString('hex')],
  ...['', 'a', 'ab'].map(
    (before, i) =>
      [`in base64, shifted by ${i}`, Buffer.from(`${before}${text}, and more`).toString('base64')] as [string, string],
  ),
];
const planted = [...forms(number), ...forms(`{"cvv2":"${code}"}`), ['a code beside its name', `cvv2 = '${code}'`]] as [
  string,
  string,
][];

describe('a card number or a security code', () => {
  it.each(planted)('is found in a text: %s', (_, text) => {
    expect(search.inText(`before ${text} after`)).not.toEqual([]);
  });

  it('is looked for by the search of all tests: numbers of theirs, and test numbers', () => {
    for (const text of [canary.visa, canary.long, '4000000000000119', `{"cvv2":"${canary.cvv2}"}`])
      expect(canaries.inText(text)).not.toEqual([]);
  });

  it('is not found where there is none', () => {
    expect(canaries.inText(`{"ms":917,"id":"k7391","card_number":"492938XXXXXX7748"}`)).toEqual([]);
  });

  it.each(planted)('is found in a file, also a binary one: %s', (_, text) => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-planted-'));
    mkdirSync(join(directory, 'deep'));
    const file = join(directory, 'deep', 'file');
    writeFileSync(file, Buffer.concat([Buffer.of(0, 255, 10), Buffer.from(text), Buffer.of(10, 0)]));
    writeFileSync(join(directory, 'innocent'), 'nothing here');
    expect(search.inFiles(directory)).toEqual([file]);
    rmSync(directory, { recursive: true });
  });

  describe('in a table', () => {
    const database = testDatabase();
    const merchant = (name: string) =>
      database.db().merchant.create({
        data: { id: 'm1', environment: 'sandbox', name, email: 'x@example.com' },
      });
    const found = () => inDatabase(database.url(), client => search.inTables(client));
    afterEach(async () => {
      await database.db().apiKey.deleteMany();
      await database.db().merchant.deleteMany();
    });

    it.each([...forms(number), ['a bare code', code] as [string, string]])(
      'is found as a text: %s',
      async (_, text) => {
        await merchant(text);
        expect(await found()).toEqual([expect.stringContaining('merchants')]);
      },
    );

    it.each([number, code])('is found as bytes: %s', async text => {
      await merchant('Tienda');
      await database.db().apiKey.create({ data: { hash: Buffer.from(text), merchant_id: 'm1', kind: 'public' } });
      expect(await found()).toEqual([expect.stringContaining('api_keys')]);
    });
  });
});
