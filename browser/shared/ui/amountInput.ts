import { caretAfter, formatTyped, formatWhole } from '../amounts';

/** Formats the field while it is typed into, and keeps the caret. */
export function formatInput(event: Event): void {
  const input = event.currentTarget as HTMLInputElement;
  const { data, inputType } = event as InputEvent;
  const { value, selectionStart } = input;
  // Autofill and some keyboards enter the whole text at once.
  const isWhole = !inputType || (data === value && value.length > 1);
  const formatted = isWhole ? formatWhole(value) : formatTyped(value);
  if (formatted === value) return;
  input.value = formatted;
  const caret = caretAfter(value, selectionStart ?? value.length, formatted);
  input.setSelectionRange(caret, caret);
}

/** Pastes an amount in any of the usual formats. */
export function pasteAmount(event: ClipboardEvent): void {
  const input = event.currentTarget as HTMLInputElement;
  const text = formatWhole(event.clipboardData?.getData('text') ?? '');
  event.preventDefault();
  const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0];
  input.setRangeText(text, start, end, 'end');
  input.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }));
}
