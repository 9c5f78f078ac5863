import fc from 'fast-check';
import { InputType } from 'type-graphql';
import { openapi } from '../../../src/api/rest/openapi';
import { routes } from '../../../src/api/rest/routes';
import { ALL_EVENT_TYPES } from '../../../src/events/types';
import { ERRORS } from '../../../src/platform/errors';
import { check } from '../../../src/schema/check';
import { EMAIL_PATTERN, PHONE_PATTERN, VISIBLE } from '../../../src/schema/patterns';
import { Text } from '../../../src/schema/shapes';
import { Contract } from '../../harness/api/contract';
import type { Schema } from '../../harness/api/sampler';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

interface Parameter {
  name: string;
  schema: { pattern?: string; minimum?: number };
}

const api = testApi();
const { schemas } = (openapi('sandbox') as { components: { schemas: Record<string, Schema> } }).components;

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document with every route', async () => {
    const { status, body } = await sendRequest(`${api.origin()}/openapi.json`, 'GET', {});
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(await validate(body)).toEqual({ valid: true });
    const ids: string[] = [];
    for (const { method, path, field } of routes) {
      const key = `/v1/{merchant_id}${path === '/' ? '' : path.replace(/:(\w+)/g, '{$1}')}`;
      const { operationId } = body.paths[key][method.toLowerCase()];
      expect(operationId.replace(/Of(Customer|Plan)$/, '')).toBe(field);
      ids.push(operationId);
    }
    expect(new Set(ids).size).toBe(routes.length);
  });

  it('documents limits, required fields, filters, statuses, the error object, the key and examples', async () => {
    const { body } = await sendRequest(`${api.origin()}/openapi.json`, 'GET', {});
    const { CreateCustomer, Error: error } = body.components.schemas;
    expect(CreateCustomer.required.sort()).toEqual(['email', 'name']);
    expect(CreateCustomer.properties.name).toMatchObject({ type: 'string', maxLength: 100, examples: ['María'] });
    expect(error.required).toContain('request_id');
    const customers = body.paths['/v1/{merchant_id}/customers'];
    expect(customers.get.parameters.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['creation', 'creation[gte]', 'creation[lte]', 'offset', 'limit', 'external_id']),
    );
    expect(Object.keys(customers.post.responses)).toEqual(['201', '401', '429', '503', 'default']);
    expect(Object.keys(customers.post.responses[201].headers).sort()).toEqual([
      'Idempotent-Replayed',
      'Location',
      'Request-Id',
      'Resource-Id',
    ]);
    expect(Object.keys(body.paths['/v1/{merchant_id}/customers/{customer_id}'].delete.responses)).toEqual([
      '204',
      '401',
      '429',
      '503',
      'default',
    ]);
    expect(body.components.securitySchemes.private_key).toMatchObject({ type: 'http', scheme: 'basic' });
    expect(body.paths['/v1/{merchant_id}/tokens'].post.security).toEqual([{ private_key: [] }, { public_key: [] }]);
  });

  it('marks exactly the nullable fields as nullable', () => {
    const { Customer, Transaction, CreateCustomer } = schemas;
    expect(Customer.properties.customer_address.anyOf).toEqual([
      { $ref: '#/components/schemas/CustomerAddress' },
      { type: 'null' },
    ]);
    expect(Customer.required).toEqual(expect.arrayContaining(['customer_address', 'last_name', 'clabe']));
    // Optional fields of responses are omitted and never null.
    expect(Transaction.properties.card).toMatchObject({ $ref: '#/components/schemas/ChargedCard' });
    expect(Transaction.required).not.toContain('card');
    // Null in requests means omitted.
    expect(CreateCustomer.properties.customer_address.anyOf).toContainEqual({ type: 'null' });
    expect(CreateCustomer.properties.name.type).toBe('string');
  });

  it('describes amounts in a form that every validator accepts', () => {
    const { amount } = schemas.CreatePlan.properties;
    expect(amount).toMatchObject({ type: 'number', minimum: 0.01, maximum: 9999999999999.99 });
    const { sampler } = new Contract(openapi('sandbox'));
    for (const good of [0.01, 0.07, 0.29, 0.57, 1.1, 19.99, 4.35, 1234567.89, 9999999999999.99])
      expect([good, sampler.differences(amount, good)]).toEqual([good, []]);
    for (const bad of [0, -1, 10000000000000, '1']) expect(sampler.differences(amount, bad)).not.toEqual([]);
  });

  it('documents every error with its texts', () => {
    const codes = schemas.ErrorCode.oneOf.map((each: { const: number }) => each.const);
    expect(codes).toEqual([...new Set(ERRORS.map(({ code }) => code))]);
    expect(schemas.ErrorCode.oneOf.every((each: { title?: string }) => each.title)).toBe(true);
  });

  it('assigns every operation to a described tag, and documents no sandbox operations in production', () => {
    for (const environment of ['sandbox', 'production'] as const) {
      const document = openapi(environment) as { tags: { name: string }[] };
      const used = new Contract(document).operations().flatMap(({ operation }) => operation.tags);
      expect([...new Set(used)].sort()).toEqual(document.tags.map(({ name }) => name).sort());
    }
  });

  it('documents every webhook event type and when it occurs', () => {
    const { webhooks } = openapi('sandbox') as { webhooks: Record<string, { post: { summary?: string } }> };
    expect(Object.keys(webhooks).sort()).toEqual([...ALL_EVENT_TYPES].sort());
    expect(Object.values(webhooks).filter(({ post }) => !post.summary)).toEqual([]);
  });

  it('has text patterns that agree with the checks of the program', () => {
    @InputType('CheckedTexts')
    class Checked {
      @Text('Not blank')
      name!: string;
      @Text('E-mail address', { form: 'email' })
      email!: string;
      @Text('Phone number', { form: 'phone' })
      phone!: string;
    }
    const accepted = (name: string, email = 'a@b.co', phone = '12345'): boolean => {
      try {
        check({ name, email, phone }, Checked);
        return true;
      } catch {
        return false;
      }
    };
    const characters = fc.string({
      unit: fc.constantFrom(...'aZ9 .@,;:<>()[]"\\\t\n\u0000\u0001\u0085\u00a0\u00ad\u200b\u2060\ufeff\ue000ñé+-_'),
    });
    fc.assert(
      fc.property(characters, fc.oneof(characters, fc.emailAddress()), (name, email) => {
        expect(new RegExp(VISIBLE, 'u').test(name)).toBe(accepted(name));
        expect(new RegExp(EMAIL_PATTERN, 'u').test(email)).toBe(accepted('a', email));
      }),
      { numRuns: 2000 },
    );
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789 +-.()ax\n'), minLength: 4, maxLength: 27 });
    fc.assert(
      fc.property(digits, phone => {
        expect(new RegExp(PHONE_PATTERN, 'u').test(phone)).toBe(accepted('a', 'a@b.co', phone));
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with the server on searches and on filters by amount', async () => {
    const { paths } = openapi('sandbox') as { paths: Record<string, { get: { parameters: Parameter[] } }> };
    const schemaOf = (path: string, name: string) =>
      paths[`/v1/{merchant_id}${path}`]?.get.parameters.find(each => each.name === name)?.schema;
    const pattern = new RegExp(schemaOf('/search', 'text')?.pattern ?? '', 'u');
    for (const text of [
      'mar',
      ' ma',
      'm a',
      ' mar ',
      'm\u200ba',
      '\u00ada\u00ad',
      '\u200bab',
      '\u200babc',
      '\ufeffma',
      '🙂🙂🙂',
    ]) {
      const { status } = await api.rest('GET', `/search?text=${encodeURIComponent(text)}`);
      expect([text, status]).toEqual([text, pattern.test(text) ? 200 : 422]);
    }
    for (const name of ['amount', 'amount[gte]', 'amount[lte]']) {
      expect(schemaOf('/charges', name)?.minimum).toBe(0);
      expect((await api.rest('GET', `/charges?${name}=0`)).status).toBe(200);
      expect((await api.rest('GET', `/charges?${name}=-0.01`)).status).toBe(422);
    }
    expect(errorOf(await api.graphql('{ charges(amount_gte: -1) { nodes { id } } }'))).toBe(1003);
  });

  it('is checked by a validator that detects invalid documents', async () => {
    const { body } = await sendRequest(`${api.origin()}/openapi.json`, 'GET', {});
    body.paths['/v1/{merchant_id}/customers'].post.responses = 7;
    expect(await validate(body)).toMatchObject({ valid: false });
  });
});

/** The validator is an ES module, which Jest does not load, so the validator runs in its own process. */
async function validate(document: object): Promise<object> {
  const { execFileSync } = await import('node:child_process');
  const script = `import { Validator } from '@seriousme/openapi-schema-validator';
    const text = await new Response(process.stdin).text();
    process.stdout.write(JSON.stringify(await new Validator().validate(JSON.parse(text))));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      input: JSON.stringify(document),
      encoding: 'utf8',
    }),
  );
}
