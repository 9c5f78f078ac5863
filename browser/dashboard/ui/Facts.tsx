import type { ComponentChildren } from 'preact';
import { ShowQuery } from '../developer/ShowQuery';

export type Fact = readonly [name: string, value: ComponentChildren];

/** Omits empty values. */
export const Facts = ({ of }: { of: readonly Fact[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

export const Section = ({
  title,
  action,
  fields,
  children,
}: {
  title: string;
  action?: ComponentChildren;
  /** Response paths of the figures, for "Show query". */
  fields?: readonly string[] | undefined;
  children: ComponentChildren;
}) => (
  <section class="card section" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {fields && <ShowQuery name={title} fields={fields} />}
      {action}
    </header>
    {children}
  </section>
);

export const Id = ({ id }: { id: string }) => <code class="id">{id}</code>;
