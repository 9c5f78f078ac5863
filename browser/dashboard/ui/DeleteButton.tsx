import { useLocation } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import type { Operation } from '../../shared/api/graphql';
import { ActionButton } from './ActionButton';

interface DeleteButtonProps {
  id: string;
  operation: Operation<unknown, { id: string }>;
  list: string;
  texts: { remove: string; removeQuestion: string; removed: string };
}

export function DeleteButton({ id, operation, list, texts }: DeleteButtonProps) {
  const [, navigate] = useLocation();
  return (
    <ActionButton
      label={texts.remove}
      kind="danger"
      question={texts.removeQuestion}
      run={async (_, key) => {
        await ask(operation, { id }, { key });
        return texts.removed;
      }}
      done={() => navigate(list)}
    />
  );
}
