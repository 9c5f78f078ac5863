/** The editors in the colours of the page, which reach them as custom properties. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: 'var(--small)' },
  // The page draws the ring, around the host: here the gutters would cover it.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '12px 0' },
  '.cm-content:focus-visible': { outline: 'none' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--ink-2)', border: 'none', paddingLeft: '4px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-foldPlaceholder': {
    color: 'var(--ink-2)',
    backgroundColor: 'var(--ground)',
    borderColor: 'var(--line)',
    padding: '0 6px',
  },
  '.cm-placeholder': { color: 'var(--ink-2)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--chosen)' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--ink)', backgroundColor: 'var(--chosen)' },
  '.cm-completionDetail': { color: 'var(--ink-2)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-tooltip.cm-completionInfo': { padding: '8px 12px', maxWidth: '26em', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic': { padding: '8px 12px', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--warn)' },
  // Its own marks are images in the style sheet, which the content policy forbids.
  '.cm-lintRange': { backgroundImage: 'none !important', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--bad) 1px' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--warn) 1px' },
});

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword, tags.operatorKeyword], color: 'var(--violet)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--info)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  { tag: [tags.variableName, tags.special(tags.name)], color: 'var(--accent)' },
  { tag: [tags.typeName, tags.className], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--ink-2)', fontStyle: 'italic' },
]);

export const look = [theme, syntaxHighlighting(highlight)];
