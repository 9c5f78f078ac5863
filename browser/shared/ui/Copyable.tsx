import { useRef, useState } from 'preact/hooks';
import { pick } from '../language';
import { Button } from './Button';

const t = pick({
  es: { copy: 'Copiar', copied: 'Copiado', select: 'Cópialo manualmente' },
  en: { copy: 'Copy', copied: 'Copied', select: 'Copy it manually' },
});

export function Copyable({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const [feedback, setFeedback] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setFeedback(t.copied);
    } catch {
      // The browser may deny access to the clipboard.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      setFeedback(t.select);
    }
  };
  return (
    <div class="copyable">
      <pre>
        <code ref={code}>{text}</code>
      </pre>
      <Button type="button" onClick={copy}>
        {feedback || t.copy} <span class="unseen">{label}</span>
      </Button>
    </div>
  );
}

export const OnceShown = ({ hint, text, label }: { hint: string; text: string; label: string }) => (
  <div class="once">
    <p role="alert">{hint}</p>
    <Copyable text={text} label={label} />
  </div>
);
