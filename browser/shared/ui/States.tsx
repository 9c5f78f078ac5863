/** Loading, empty and error states. */
import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/ask';
import { pick } from '../language';
import { Button } from './Button';

const t = pick({
  es: {
    again: 'Reintentar',
    unreachable: 'No pudimos conectar con el servidor. Inténtalo de nuevo.',
    loading: 'Cargando',
  },
  en: { again: 'Retry', unreachable: 'We could not reach the server. Try again.', loading: 'Loading' },
});

export const problemText = ({ message }: Problem): string => message || t.unreachable;

export const ProblemNote = ({ problem, retry }: { problem: Problem; retry?: () => void }) => (
  <div class="problem-note" role="alert">
    <p>{problemText(problem)}</p>
    {problem.request_id && <small>{problem.request_id}</small>}
    {retry && (
      <Button type="button" onClick={retry}>
        {t.again}
      </Button>
    )}
  </div>
);

/** Appears only after a short delay. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div class="skeleton" role="status" aria-label={t.loading}>
    {Array.from({ length: lines }, (_, i) => (
      <span key={`line-${i + 1}`} />
    ))}
  </div>
);

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <section class="empty">
    <h2>{title}</h2>
    {children}
  </section>
);

/** Keeps showing the previous data while reloading. */
export function Shown<Result>({
  of: { data, problem, reload },
  lines,
  children,
}: {
  of: { data: Result | undefined; problem: Problem | undefined; reload: () => void };
  lines?: number;
  children: (data: Result) => ComponentChildren;
}) {
  return (
    <>
      {problem && <ProblemNote problem={problem} retry={reload} />}
      {data ? children(data) : !problem && <Skeleton lines={lines ?? 3} />}
    </>
  );
}
