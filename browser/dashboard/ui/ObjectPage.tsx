import type { ComponentChildren } from 'preact';
import { Shown } from '../../shared/ui/States';
import type { Loaded } from '../api/useLoad';
import { NotFound } from '../shell/NotFound';

const NOT_FOUND = 1005;

export const ObjectPage = <Result,>({
  of,
  children,
}: {
  of: Loaded<Result>;
  children: (data: Result) => ComponentChildren;
}) =>
  of.problem?.code === NOT_FOUND && !of.data ? (
    <NotFound />
  ) : (
    <Shown of={of} lines={8}>
      {children}
    </Shown>
  );
