/** The states that a part of a screen can be in besides having something to show. */
import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/ask';
import type { Loaded } from '../api/useLoad';
import { pick } from '../language';
import { Button } from './Button';

const t = pick({
  es: { again: 'Intentar otra vez', unreachable: 'No se pudo llegar al servidor.', loading: 'Cargando' },
  en: { again: 'Try again', unreachable: 'The server could not be reached.', loading: 'Loading' },
});

export const sayProblem = ({ message }: Problem): string => message || t.unreachable;

export const ProblemNote = ({ problem, retry }: { problem: Problem; retry?: () => void }) => (
  <div class="problem-note" role="alert">
    <p>{sayProblem(problem)}</p>
    {problem.request_id && <small>{problem.request_id}</small>}
    {retry && (
      <Button type="button" onClick={retry}>
        {t.again}
      </Button>
    )}
  </div>
);

/** Grey bars in place of what comes; they appear only when it takes a moment. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div class="skeleton" role="status" aria-label={t.loading}>
    {Array.from({ length: lines }, (_, i) => (
      <span key={`line-${i + 1}`} />
    ))}
  </div>
);

/** One sentence what it is, and what fills it. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <section class="empty">
    <h2>{title}</h2>
    {children}
  </section>
);

/** What was loaded, or why it is not there. What was there before stays while it is asked again. */
export function Shown<Result>({
  of: { data, problem, reload },
  lines,
  children,
}: {
  of: Loaded<Result>;
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
