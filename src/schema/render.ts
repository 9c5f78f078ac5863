/** Converts a result to JSON by its shape. Null optional fields and properties outside the shape are omitted. */
import { formatMoment } from '../../workflows/calendar';
import { formatMoney, type Money } from '../platform/money';
import { MoneyScalar, PercentScalar } from './scalars';
import { type Class, type Shape, shapeOf } from './shapes';

export type Render = (value: unknown) => unknown;

const rendererCache = new Map<Class, Render>();

export function rendererOf(type: Class): Render {
  const cached = rendererCache.get(type);
  if (cached) return cached;
  const fields = [...shapeOf(type).values()].map(shape => ({ ...shape, render: fieldRenderer(shape) }));
  const render: Render = record => {
    const json: Record<string, unknown> = {};
    for (const { name, optional, nullable, render } of fields) {
      const value = (record as Record<string, unknown>)[name];
      if (value === undefined || (value === null && optional && !nullable)) continue;
      json[name] = value === null ? null : render(value);
    }
    return json;
  };
  rendererCache.set(type, render);
  return render;
}

function fieldRenderer({ kind, of, classOf, scalar }: Shape): Render {
  if (kind === 'money') return value => formatMoney(value as Money);
  if (kind === 'moment') return value => formatMoment((value as Date).getTime());
  if (kind === 'object' && of) return value => rendererOf(of())(value);
  if (kind === 'oneOf' && classOf) return value => rendererOf(classOf(value as object))(value);
  if (kind === 'list' && of) return value => (value as unknown[]).map(rendererOf(of()));
  if (kind === 'value' && scalar) return scalar().serialize;
  return value => value;
}

/** The inverse of rendering, for records that are stored as JSON. */
export function revive<T extends object>(type: new () => T, json: Record<string, unknown>): T {
  const record = Object.create(type.prototype as object) as Record<string, unknown>;
  for (const shape of shapeOf(type).values()) {
    const value = json[shape.name];
    if (value !== undefined) record[shape.name] = value === null ? null : reviveField(shape, value);
  }
  return record as T;
}

function reviveField({ kind, of, scalar }: Shape, value: unknown): unknown {
  if (kind === 'money') return MoneyScalar.parseValue(value);
  if (kind === 'moment') return new Date(value as string);
  if (scalar?.() === PercentScalar) return PercentScalar.parseValue(value);
  const reviveOne = (json: unknown) => revive((of as () => Class)(), json as Record<string, unknown>);
  if (kind === 'object') return reviveOne(value);
  if (kind === 'list') return (value as unknown[]).map(reviveOne);
  return value;
}
