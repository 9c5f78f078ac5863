/** A merchant's profile over both APIs, and the logo that payers see. */
import { createHash } from 'node:crypto';
import { dataUrl, png, pngDataUrl } from '../../harness/browser/pictures';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const db = () => api.database.db();
const put = (body: object) => api.rest('PUT', '', { body });
const read = async () => (await api.rest('GET', '')).body;
const entries = () => db().auditEntry.findMany({ where: { action: 'merchant.changed' }, orderBy: { id: 'asc' } });
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

const profile = {
  name: 'Flores de Bogotá',
  phone: '6017654321',
  website: 'https://flores.example/tienda',
  support_email: 'ayuda@flores.example',
  support_phone: '+57 300 1234567',
  colour: '#ff6600',
};

describe('PUT /', () => {
  it('changes the profile that GET / returns, and keeps omitted fields', async () => {
    expect(await read()).toMatchObject({
      name: 'Tienda',
      phone: '6011234567',
      website: null,
      logo: null,
      colour: null,
    });
    const { status, body } = await put({ ...profile, colour: '#FF6600' });
    expect([status, body]).toEqual([200, expect.objectContaining({ ...profile, email: 'tienda@example.com' })]);
    expect(await read()).toEqual(body);
    expect((await put({ colour: '#112233' })).body).toEqual({ ...body, colour: '#112233' });
    const before = (await entries()).length;
    // Clients send the whole profile that they received, including its read-only fields.
    expect((await put({ ...body, colour: '#112233', email: 'x', status: 'suspended', balance: 1 })).body).toEqual({
      ...body,
      colour: '#112233',
    });
    expect(await entries()).toHaveLength(before);
  });

  it('clears fields with an empty text, except the name and the phone', async () => {
    await put(profile);
    const cleared = { website: '', support_email: '', support_phone: ' ', colour: '' };
    expect((await put(cleared)).body).toMatchObject({
      website: null,
      support_email: null,
      support_phone: null,
      colour: null,
    });
    for (const body of [{ phone: '' }, { phone: '  ' }, { name: '' }, { phone: '', colour: '#000000' }])
      expect(errorOf(await put(body))).toBe(1001);
    expect((await put({ phone: null })).body).toMatchObject({ phone: profile.phone, colour: null });
  });

  it('writes the previous and new values to the audit log', async () => {
    await put(profile);
    await put({ phone: '6010000001', name: profile.name });
    expect((await entries()).at(-1)).toMatchObject({
      actor: 'key',
      object_id: api.merchants().own.id,
      before: { phone: profile.phone },
      after: { phone: '6010000001' },
    });
    expect(Object.keys((await entries()).at(-1)?.after as object)).toEqual(['phone']);
  });

  it('is updateMerchant in GraphQL', async () => {
    const query = 'mutation($m: UpdateMerchant!) { updateMerchant(merchant: $m) { phone colour } }';
    const { body } = await api.graphql(query, { m: { phone: '6012223344', colour: '#00ff00' } });
    expect(body.data.updateMerchant).toEqual({ phone: '6012223344', colour: '#00ff00' });
    expect(errorOf(await api.graphql(query, { m: { phone: '' } }))).toBe(1001);
  });

  it.each<[string, object, number]>([
    ['a long name', { name: 'x'.repeat(101) }, 1001],
    ['a blank name', { name: 5 }, 1001],
    ['a NUL', { support_phone: '\0' }, 1001],
    ['an invalid e-mail address', { support_email: 'ayuda' }, 1001],
    ['two e-mail addresses', { support_email: 'a@b.co,c@d.co' }, 1001],
    ['a website without a scheme', { website: 'flores.example' }, 1003],
    ['a javascript: URL as website', { website: 'javascript:alert(1)' }, 1003],
    ['a website with a password', { website: 'https://u:p@flores.example' }, 1003],
    ['a long website', { website: `https://flores.example/${'x'.repeat(255)}` }, 1001],
    ['a colour name', { colour: 'red' }, 1003],
    ['a short colour', { colour: '#f60' }, 1003],
    ['a colour with trailing characters', { colour: '#ff6600;' }, 1001],
  ])('refuses %s and changes nothing', async (_, body, code) => {
    const before = await read();
    expect(errorOf(await put({ ...body, phone: '6019999999' }))).toBe(code);
    expect(await read()).toEqual(before);
  });
});

describe('a logo', () => {
  it('is served from the origin of the API under its hash, and can be cached forever', async () => {
    const bytes = png(120, 40);
    const { body } = await put({ logo: dataUrl(bytes) });
    expect(body.logo).toBe(`${api.origin()}/logos/${hashOf(bytes)}.png`);
    const answer = await fetch(body.logo);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await entries()).at(-1)).toMatchObject({ after: { logo: `${hashOf(bytes)}.png` } });
    // The current logo and an earlier one can be sent as the URL that the API returned.
    expect((await put({ logo: body.logo })).body.logo).toBe(body.logo);
    const other = (await put({ logo: pngDataUrl(50, 50) })).body.logo;
    expect((await put({ logo: body.logo })).body.logo).toBe(other);
    expect((await fetch(body.logo)).status).toBe(200);
    expect((await put({ logo: '' })).body.logo).toBeNull();
  });

  it('may equal the logo of another merchant', async () => {
    const { other } = api.merchants();
    const body = { logo: pngDataUrl(33, 33) };
    const own = (await put(body)).body.logo;
    const theirs = await sendRequest(`${api.origin()}/v1/${other.id}`, 'PUT', { key: other.private_key, body });
    expect(theirs.body.logo).toBe(own);
  });

  it('may be a JPEG', async () => {
    const { body } = await put({ logo: dataUrl(jpeg(30, 20), 'jpeg') });
    expect(body.logo).toMatch(/\/logos\/[0-9a-f]{32}\.jpg$/);
    expect((await fetch(body.logo)).headers.get('content-type')).toBe('image/jpeg');
  });

  const good = png(20, 20);
  const broken = Buffer.from(good);
  broken[20] = 1;
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  it.each<[string, string]>([
    ['a URL that is no data URL', 'https://flores.example/logo.png'],
    ['an SVG', dataUrl(svg, 'svg+xml')],
    ['an SVG with the type of a PNG', dataUrl(svg)],
    ['a PNG with the type of a JPEG', dataUrl(good, 'jpeg')],
    ['a JPEG with the type of a PNG', dataUrl(jpeg(20, 20))],
    ['half a PNG', dataUrl(good.subarray(0, -6))],
    ['a PNG with a wrong checksum', dataUrl(broken)],
    ['a PNG with trailing data', dataUrl(Buffer.concat([good, svg]))],
    ['a JPEG without its end', dataUrl(jpeg(20, 20).subarray(0, -2), 'jpeg')],
    ['nothing', 'data:image/png;base64,'],
    ['invalid base64', 'data:image/png;base64,%%%'],
    ['an image that is too small', pngDataUrl(15, 20)],
    ['an image that is too wide', pngDataUrl(2001, 16)],
    ['a JPEG that is too high', dataUrl(jpeg(20, 60_000), 'jpeg')],
    ['more than 64 KB', dataUrl(withBytes(64 * 1024 + 1))],
  ])('fails with 1003 for %s, and changes nothing', async (_, logo) => {
    const [before, count] = [await read(), await db().logo.count()];
    const answer = await put({ logo, phone: '6019999999' });
    expect([errorOf(answer), answer.body.field]).toEqual([1003, 'logo']);
    expect([await read(), await db().logo.count()]).toEqual([before, count]);
  });

  it('with exactly 64 KB is accepted', async () => {
    expect((await put({ logo: dataUrl(withBytes(64 * 1024)) })).status).toBe(200);
  });

  it.each(['x', '../credentials', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}.svg`])('%s responds 404', async name => {
    expect((await fetch(`${api.origin()}/logos/${encodeURIComponent(name)}`)).status).toBe(404);
  });
});

/** A picture of the given size: a PNG that is padded with a text chunk. */
function withBytes(length: number): Buffer {
  const small = png(20, 20);
  return png(20, 20, [1, 2, 3], length - small.length - 12);
}

/** The header of a JPEG without image data. */
function jpeg(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  const frame = Buffer.concat([Buffer.from('ffc0000b08', 'hex'), size, Buffer.from('01011100', 'hex')]);
  const scan = Buffer.from('ffda0008010100003f0000', 'hex');
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    frame,
    scan,
    Buffer.from('ffd9', 'hex'),
  ]);
}
