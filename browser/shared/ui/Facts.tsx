import type { ComponentChildren } from 'preact';

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

export interface SectionProps {
  title: string;
  action?: ComponentChildren;
  children: ComponentChildren;
}

export const Section = ({ title, action, children }: SectionProps) => (
  <section class="card section" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {action}
    </header>
    {children}
  </section>
);

export const Id = ({ id }: { id: string }) => <code class="id">{id}</code>;
