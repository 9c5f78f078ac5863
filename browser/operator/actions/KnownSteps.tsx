import { useEffect } from 'preact/hooks';
import { Steps } from './ChangeButton';

interface KnownStepsProps {
  steps: readonly string[];
  showsSteps: (isShown: boolean) => void;
}

function KnownSteps({ steps, showsSteps }: KnownStepsProps) {
  useEffect(() => showsSteps(true), []);
  return <Steps steps={steps} />;
}

/** The preview of a change whose steps are always the same. */
export const stepsOf = (steps: readonly string[]) => (_: unknown, showsSteps: KnownStepsProps['showsSteps']) => (
  <KnownSteps steps={steps} showsSteps={showsSteps} />
);
