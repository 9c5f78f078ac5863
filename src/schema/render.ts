/**
 * Turns the result of a field into JSON by its shape: absent stays absent, null stays null, and properties outside the
 * shape are left out.
 */
import { formatMoment } from '../../workflows/calendar';
import { formatMoney, type Money } from '../platform/money';
import { type Class, type Shape, shapeOf } from './shapes';

export type Render = (value: unknown) => unknown;

const rendererCache = new Map<Class, Render>();

export function rendererOf(type: Class): Render {
  const cached = rendererCache.get(type);
  if (cached) return cached;
  const fields = [...shapeOf(type).values()].map(shape => [shape.name, fieldRenderer(shape)] as const);
  const render: Render = record => {
    const json: Record<string, unknown> = {};
    for (const [name, renderField] of fields) {
      const value = (record as Record<string, unknown>)[name];
      if (value !== undefined) json[name] = value === null ? null : renderField(value);
    }
    return json;
  };
  rendererCache.set(type, render);
  return render;
}

function fieldRenderer({ kind, of }: Shape): Render {
  if (kind === 'money') return value => formatMoney(value as Money);
  if (kind === 'moment') return value => formatMoment((value as Date).getTime());
  if (kind === 'object' && of) return value => rendererOf(of())(value);
  if (kind === 'list' && of) return value => (value as unknown[]).map(rendererOf(of()));
  return value => value;
}
