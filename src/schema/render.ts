/** Turns what a field answers into JSON, by its shape: absent stays absent, null stays null, what is not in the shape is not shown. */
import { formatMoment } from '../../workflows/calendar';
import { formatMoney, type Money } from '../platform/money';
import { type Class, type Shape, shapeOf } from './shapes';

export type Render = (value: unknown) => unknown;

const renderers = new Map<Class, Render>();

/** Made once per shape. */
export function rendererOf(type: Class): Render {
  const known = renderers.get(type);
  if (known) return known;
  const fields = [...shapeOf(type).values()].map(shape => [shape.name, fieldRenderer(shape)] as const);
  const render: Render = value => {
    const json: Record<string, unknown> = {};
    for (const [name, renderField] of fields) {
      const given = (value as Record<string, unknown>)[name];
      if (given !== undefined) json[name] = given === null ? null : renderField(given);
    }
    return json;
  };
  renderers.set(type, render);
  return render;
}

function fieldRenderer({ kind, of }: Shape): Render {
  if (kind === 'money') return value => formatMoney(value as Money);
  if (kind === 'moment') return value => formatMoment((value as Date).getTime());
  if (kind === 'object' && of) return value => rendererOf(of())(value);
  if (kind === 'list' && of) return value => (value as unknown[]).map(rendererOf(of()));
  return value => value;
}
