/** The status of the environments. */
import { Skeleton } from '../../shared/ui/States';
import { operations } from '../state';
import { EnvironmentCards } from './EnvironmentCards';
import { Tables } from './Tables';
import { Verdict } from './Verdict';

export function Status() {
  const found = operations.value;
  if (!found) return <Skeleton lines={8} />;
  return (
    <>
      <Verdict operations={found} />
      {[...found.environments].reverse().map(figures => (
        <EnvironmentCards
          key={figures.environment}
          figures={figures}
          isHeld={found.paused.some(({ kind, id }) => kind === 'everything_held' && id === figures.environment)}
        />
      ))}
      <Tables operations={found} />
    </>
  );
}
