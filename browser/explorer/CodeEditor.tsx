import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Editor } from './editors';

interface CodeEditorProps {
  /** Called once. */
  create: (host: HTMLElement) => Editor;
  text: string;
  hidden?: boolean;
}

export function CodeEditor({ create, text, hidden = false }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>();
  useLayoutEffect(() => {
    if (host.current) editor.current ??= create(host.current);
    editor.current?.setText(text);
  }, [text]);
  return <div ref={host} class="editor" hidden={hidden} />;
}
