export type Json = Record<string, unknown>;

type Part = 'schemas' | 'headers' | 'responses' | 'parameters';
export const reference = (name: string, part: Part = 'schemas'): Json => ({ $ref: `#/components/${part}/${name}` });

export const content = (schema: Json): Json => ({ 'application/json': { schema } });

export function orNull(schema: Json): Json {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const words = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...words };
}
