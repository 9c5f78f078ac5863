import { useEffect, useState } from 'preact/hooks';

/** Values with their names. */
export type Suggest = (text: string, stop: AbortSignal) => Promise<readonly (readonly [value: string, name: string])[]>;

/** Delay after the last key before the search starts. */
const TYPING_MS = 200;

interface SuggestedInputProps {
  id: string;
  name: string;
  type: string;
  suggest: Suggest;
}

/** An input with suggestions for its text, which the browser shows. */
export function SuggestedInput({ suggest, ...attributes }: SuggestedInputProps) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Awaited<ReturnType<Suggest>>>([]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      // The text can be entered without suggestions.
      suggest(text, stop.signal).then(setFound, () => undefined);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  const list = `${attributes.id}-list`;
  return (
    <>
      <input
        {...attributes}
        list={list}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value.trim())}
      />
      <datalist id={list}>
        {found.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
