/**
 * Every breaking change of the GraphQL schema is announced. The schema of the last release lies beside this file; only
 * a release replaces it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { merchantSchema } from '../../../src/api/graphql/publishedSchemas';
import { fromRoot } from '../../../src/platform/root';
import { unannounced } from '../../harness/api/breakingChanges';

const released = readFileSync(join(__dirname, 'released.graphql'), 'utf8');
const changelog = readFileSync(fromRoot('CHANGELOG.md'), 'utf8');

describe('every breaking change since the last release', () => {
  it('is listed by its path in backticks below "### Breaking in GraphQL" in the unreleased part of CHANGELOG.md', async () => {
    expect(await unannounced(buildSchema(released), merchantSchema, changelog)).toEqual([]);
  });
});

describe('an unannounced breaking change', () => {
  const changed = (from: string | RegExp, to: string) => {
    const text = released.replace(from, to);
    expect(text).not.toBe(released);
    return unannounced(buildSchema(released), buildSchema(text), log);
  };
  let log = '';
  const logged = (...lines: string[]) => {
    log = [
      '# Changelog',
      '',
      '## Unreleased',
      '',
      ...lines,
      '',
      '## 1.0.0',
      '',
      '### Breaking in GraphQL',
      '',
      '- `Card.allows_payouts`.',
      '',
    ].join('\n');
  };
  beforeEach(() => logged('### Added', '', '- `Card.allows_payouts` is told.'));

  it.each([
    ['a removed field', /^ {2}allows_payouts: Boolean!$/m, '  pays: Boolean!', ['Card.allows_payouts']],
    ['a changed type of a field', /^ {2}allows_payouts: Boolean!$/m, '  allows_payouts: Int!', ['Card.allows_payouts']],
    [
      'a required field of an input',
      'input CaptureCharge {',
      'input CaptureCharge {\n  why: String!',
      ['CaptureCharge.why'],
    ],
    ['a removed enum value', /^ {2}charge_pending$/m, '', ['TransactionStatus.charge_pending']],
    ['a renamed type', /\bRotatedSecret\b/g, 'NewSecret', ['RotatedSecret', 'Mutation.rotateWebhookSecret']],
  ] as const)('is reported: %s', async (_, from, to, paths) => {
    const found = await changed(from, to);
    expect(found.map(line => line.split(':')[0]).sort()).toEqual([...paths].sort());
  });

  it('is accepted when it is listed there, and nowhere else', async () => {
    logged(
      '### Breaking in GraphQL',
      '',
      '- `Card.allows_payouts` is a number now.',
      '',
      '### Added',
      '',
      '- `Card.allows_charges`.',
    );
    expect(await changed(/^ {2}allows_payouts: Boolean!$/m, '  allows_payouts: Int!')).toEqual([]);
    expect(await changed(/^ {2}allows_charges: Boolean!$/m, '  allows_charges: Int!')).toEqual([
      expect.stringContaining('Card.allows_charges'),
    ]);
  });

  it('does not include additions', async () => {
    expect(await changed('type Plan {', 'type Plan {\n  colour: String')).toEqual([]);
  });
});
