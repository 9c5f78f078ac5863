/**
 * Compiles the layout of e-mails to payers: juice inlines its styles, because some e-mail clients ignore style sheets. The
 * result is the page and its parts, each as literal texts and the names of the values between them.
 */
import { readFileSync } from 'node:fs';
import juice from 'juice';

const LAYOUT = 'src/notifications/email/payer/layout.html';
/** Colours of the merchant, which are not known yet. They are valid colours, so that the inliner accepts them. */
const COLOURS = { '#ACCE01': '{{accent}}', '#ACCE02': '{{accentInDark}}' };
/** The attributes of the layout are those for clients without style sheets. */
const OPTIONS = { preserveImportant: true, applyWidthAttributes: false };

export function compileLayout() {
  const [page, ...parts] = readFileSync(LAYOUT, 'utf8').split(/<!-- part: (\w+) -->\n/);
  const styles = /<style>([\s\S]*)<\/style>/.exec(page)[1];
  const inlined = { page: juice(page, OPTIONS) };
  for (let i = 0; i < parts.length; i += 2) inlined[parts[i]] = inlinePart(parts[i + 1].trim(), styles);
  return Object.fromEntries(Object.entries(inlined).map(([name, html]) => [name, split(html)]));
}

/** The inliner drops rows that are not in a table. */
function inlinePart(html, styles) {
  if (!html.startsWith('<tr>')) return juice.inlineContent(html, styles, OPTIONS);
  return /<tr>[\s\S]*<\/tr>/.exec(juice.inlineContent(`<table>${html}</table>`, styles, OPTIONS))[0];
}

function split(html) {
  const coloured = html.replace(/#ACCE0[12]/g, colour => COLOURS[colour]);
  const pieces = coloured.split(/\{\{(\w+)\}\}/);
  return { texts: pieces.filter((_, i) => i % 2 === 0), names: pieces.filter((_, i) => i % 2 === 1) };
}
