import { useState } from 'preact/hooks';
import { pick } from '../language';
import { Button } from './Button';

const t = pick({ es: { copy: 'Copiar', copied: 'Copiado' }, en: { copy: 'Copy', copied: 'Copied' } });

/** The text can be selected where the browser denies access to the clipboard. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <span class="copy">
      <input readOnly value={text} aria-label={label} onFocus={event => event.currentTarget.select()} />
      <Button type="button" onClick={copy}>
        <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
      </Button>
    </span>
  );
}
