/** Something to take elsewhere: an identifier, a secret, a command. */
import { useRef, useState } from 'preact/hooks';
import { pick } from '../language';
import { Button } from './Button';

const t = pick({
  es: { copy: 'Copiar', copied: 'Copiado', select: 'Cópialo a mano' },
  en: { copy: 'Copy', copied: 'Copied', select: 'Copy it by hand' },
});

export function Copyable({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(t.copied);
    } catch {
      // A browser may forbid it; then it is at least selected.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      setSaid(t.select);
    }
  };
  return (
    <div class="copyable">
      <pre>
        <code ref={code}>{text}</code>
      </pre>
      <Button type="button" onClick={copy}>
        {said || t.copy} <span class="unseen">{label}</span>
      </Button>
    </div>
  );
}

/** A secret that is shown this once. */
export const OnceShown = ({ hint, text, label }: { hint: string; text: string; label: string }) => (
  <div class="once">
    <p role="alert">{hint}</p>
    <Copyable text={text} label={label} />
  </div>
);
