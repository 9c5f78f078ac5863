/** Generates values that a JSON Schema allows, for every kind of schema in the OpenAPI document. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc, { type Arbitrary } from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: a schema may have any members
export type Schema = any;

/** Texts whose format is more specific than a pattern. */
const formats: Record<string, Arbitrary<string>> = {
  date: fc
    .date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
    .map(day => day.toISOString().slice(0, 10)),
  'date-time': fc
    .date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
    .map(day => day.toISOString().replace(/\.\d+Z$/, '-05:00')),
  uri: fc.webUrl({ withQueryParameters: true }),
};

export class Sampler {
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly document: Schema) {
    this.ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false });
    addFormats(this.ajv);
    // Only pointers into the document are used, because the document as a whole is not a schema.
    this.ajv.addSchema({ $id: 'document', components: document.components });
  }

  /** Descriptions of the differences between a value and the schema. */
  differences(schema: Schema, value: unknown): string[] {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validate = this.compiled.get(text) ?? this.ajv.compile(JSON.parse(text));
    this.compiled.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** Values that the whole schema allows: combined from its parts, without combinations that are invalid. */
  valuesOf(schema: Schema): Arbitrary<unknown> {
    return this.made(schema).filter(value => this.differences(schema, value).length === 0);
  }

  private made(given: Schema): Arbitrary<unknown> {
    const { anyOf, oneOf, allOf = [], ...schema } = this.resolved(given);
    const alternatives: Schema[] | undefined = oneOf ?? anyOf;
    if (alternatives) {
      const possible = alternatives.map(each => merged(this, [schema, ...allOf, each])).filter(isPossible);
      return fc.oneof(...possible.map(each => this.made(each)));
    }
    if (allOf.length > 0) return this.made(merged(this, [schema, ...allOf]));
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const types: string[] = [schema.type ?? (schema.properties ? 'object' : 'string')].flat();
    return fc.oneof(...types.map(type => this.ofType(type, schema)));
  }

  private ofType(type: string, schema: Schema): Arbitrary<unknown> {
    const { minimum = 0, maximum = 2 ** 31 - 1, multipleOf } = schema;
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: minimum, max: maximum });
      case 'number': {
        // Amounts are the only fractional numbers.
        const centavos = fc
          .maxSafeInteger()
          .map(Math.abs)
          .filter(some => some > 0 && some / 100 <= maximum);
        return multipleOf
          ? fc.integer({ min: 1 })
          : fc.oneof(fc.integer({ min: 1, max: 99_999_999 }), centavos).map(some => some / 100);
      }
      case 'array':
        return fc.array(this.made(schema.items), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 5, 5),
        });
      case 'object':
        return this.objects(schema);
      default:
        return this.texts(schema);
    }
  }

  private texts({ format = '', pattern = '^[ -~]*$', maxLength = 2000 }: Schema): Arbitrary<string> {
    return (formats[format] ?? fc.stringMatching(new RegExp(pattern, 'u'))).filter(
      text => [...text].length <= maxLength,
    );
  }

  private objects({ properties = {}, required = [], additionalProperties, propertyNames }: Schema): Arbitrary<unknown> {
    if (additionalProperties)
      return fc.dictionary(this.texts(propertyNames), this.made(additionalProperties), {
        maxKeys: 3,
        noNullPrototype: true,
      });
    const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, this.made(part)]));
    return fc.record(parts, { requiredKeys: required as never[], noNullPrototype: true });
  }

  resolved(schema: Schema): Schema {
    if (!schema.$ref) return schema;
    const { $ref, ...more } = schema;
    const found = ($ref as string)
      .split('/')
      .slice(1)
      .reduce((at, name) => at[name], this.document);
    return this.resolved({ ...found, ...more });
  }
}

const typesOf = ({ type, $ref }: Schema): string[] | undefined => ($ref ? ['object'] : type && [type].flat());
const isPossible = (schema: Schema): boolean => typesOf(schema)?.length !== 0;

/** One schema that combines all of them, as far as the document needs it. */
function merged(sampler: Sampler, schemas: Schema[]): Schema {
  return schemas.reduce((whole, each) => {
    const [a, b] = [sampler.resolved(whole), sampler.resolved(each)];
    const names = [...new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})])];
    const both = (name: string) => [a.properties?.[name], b.properties?.[name]].filter(part => part !== undefined);
    const properties = names.map(name => [name, both(name).length > 1 ? { allOf: both(name) } : both(name)[0]]);
    const [some, others] = [typesOf(a), typesOf(b)];
    const types = some && others ? some.filter(type => others.includes(type)) : (some ?? others);
    return {
      ...a,
      ...b,
      ...(types ? { type: types } : {}),
      ...(names.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      required: [...(a.required ?? []), ...(b.required ?? [])],
    };
  }, {});
}
