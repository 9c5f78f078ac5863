import { routes } from '../../../src/http/rest/routes';
import { ask, testApi } from '../../harness/servers/api';

const api = testApi();

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document with every row in it', async () => {
    const { status, body } = await ask(`${api.origin()}/openapi.json`, 'GET', {});
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(await validate(body)).toEqual({ valid: true });
    const ids: string[] = [];
    for (const { method, path, field } of routes) {
      const key = `/v1/{merchant_id}${path === '/' ? '' : path.replace(/:(\w+)/g, '{$1}')}`;
      const { operationId } = body.paths[key][method.toLowerCase()];
      expect(operationId.replace(/OfCustomer$/, '')).toBe(field);
      ids.push(operationId);
    }
    expect(new Set(ids).size).toBe(routes.length);
  });

  it('tells limits, required fields, filters, statuses, the error object, the key and examples', async () => {
    const { body } = await ask(`${api.origin()}/openapi.json`, 'GET', {});
    const { CreateCustomer, Error: error } = body.components.schemas;
    expect(CreateCustomer.required.sort()).toEqual(['email', 'name']);
    expect(CreateCustomer.properties.name).toMatchObject({ type: 'string', maxLength: 100, examples: ['María'] });
    expect(error.required).toContain('request_id');
    const customers = body.paths['/v1/{merchant_id}/customers'];
    expect(customers.get.parameters.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['creation', 'creation[gte]', 'creation[lte]', 'offset', 'limit', 'external_id']),
    );
    expect(Object.keys(customers.post.responses)).toEqual(['201', 'default']);
    expect(Object.keys(body.paths['/v1/{merchant_id}/customers/{customer_id}'].delete.responses)).toEqual([
      '204',
      'default',
    ]);
    expect(body.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'basic' });
  });

  it('finds fault with a document that is broken', async () => {
    const { body } = await ask(`${api.origin()}/openapi.json`, 'GET', {});
    body.paths['/v1/{merchant_id}/customers'].post.responses = 7;
    expect(await validate(body)).toMatchObject({ valid: false });
  });
});

/** The validator is an ES module, which Jest does not load: it runs beside it. */
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
