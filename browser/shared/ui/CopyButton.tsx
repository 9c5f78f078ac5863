import { useEffect, useState } from 'preact/hooks';
import { pick } from '../language';
import { Button } from './Button';

const t = pick({
  es: { copy: 'Copiar', copied: 'Copiado', select: 'Cópialo manualmente' },
  en: { copy: 'Copy', copied: 'Copied', select: 'Copy it manually' },
});

interface CopyButtonProps {
  text: string;
  /** For screen readers. */
  label?: string;
  /** Selects the text: the browser may deny access to the clipboard. */
  select?: () => void;
}

export function CopyButton({ text, label, select }: CopyButtonProps) {
  const [feedback, setFeedback] = useState('');
  useEffect(() => setFeedback(''), [text]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setFeedback(t.copied);
    } catch {
      select?.();
      setFeedback(t.select);
    }
  };
  return (
    <Button type="button" onClick={copy}>
      <span aria-live="polite">{feedback || t.copy}</span> {label && <span class="unseen">{label}</span>}
    </Button>
  );
}
