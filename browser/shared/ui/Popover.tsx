/** Escape or a click outside closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface PopoverProps {
  label: ComponentChildren;
  title?: string;
  children: (close: () => void) => ComponentChildren;
}

export function Popover({ label, title, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>('input, select, textarea, .popover button')?.focus();
    const onClick = (event: MouseEvent): void => {
      // The composed path, since the click may have removed its target.
      if (root.current && !event.composedPath().includes(root.current)) setOpen(false);
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close();
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
    };
  }, [isOpen]);
  return (
    <span class="popover-root" ref={root}>
      <button
        ref={button}
        type="button"
        class="opener"
        title={title}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && <div class="popover card">{children(close)}</div>}
    </span>
  );
}
