import { useRef } from 'preact/hooks';
import { CopyButton } from './CopyButton';

interface CopyableProps {
  text: string;
  label: string;
}

export function Copyable({ text, label }: CopyableProps) {
  const code = useRef<HTMLElement>(null);
  const select = (): void => {
    if (code.current) getSelection()?.selectAllChildren(code.current);
  };
  return (
    <div class="copyable">
      <pre>
        <code ref={code}>{text}</code>
      </pre>
      <CopyButton text={text} label={label} select={select} />
    </div>
  );
}

/** A text of one line, such as a link. */
export function CopyableLine({ text, label }: CopyableProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span class="copy">
      <input ref={input} readOnly value={text} aria-label={label} onFocus={event => event.currentTarget.select()} />
      <CopyButton text={text} select={() => input.current?.select()} />
    </span>
  );
}

export const OnceShown = ({ hint, text, label }: CopyableProps & { hint: string }) => (
  <div class="once">
    <p role="alert">{hint}</p>
    <Copyable text={text} label={label} />
  </div>
);
