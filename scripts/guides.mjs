// Renders the guides as HTML at build time, so that the server needs no Markdown parser.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';

const escapeText = text => text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`);
const plain = html =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);|&(amp|lt|gt|quot);/g, (_, code, name) =>
      code ? String.fromCharCode(code) : { amp: '&', lt: '<', gt: '>', quot: '"' }[name],
    );

/** Uses GitHub's anchor format, so that links work on both sites. */
function anchors() {
  const times = new Map();
  return heading => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}

const nameOf = file => basename(file, '.md').toLowerCase();

/** URL of a link on the rendered page; undefined if the linked file is not a guide. */
function target(file, href, files) {
  if (/^([a-z][a-z+.-]*:|#)/i.test(href)) return href;
  const [path, anchor] = href.split('#');
  const linked = normalize(join(dirname(file), path));
  if (!files.includes(linked)) return undefined;
  return `/docs/guides/${nameOf(linked)}${anchor ? `#${anchor}` : ''}`;
}

function render(file, text, files) {
  const anchorOf = anchors();
  const headings = [];
  const renderer = {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      const id = anchorOf(plain(inner));
      if (depth > 1) headings.push({ id, depth, text: plain(inner) });
      if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner.replace(/<\/?a\b[^>]*>/g, '')}</a></h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const to = target(file, href, files);
      return to === undefined ? inner : `<a href="${escapeText(to)}">${inner}</a>`;
    },
    image({ href, text }) {
      const url = `/${normalize(join(dirname(file), href))}`;
      return `<img src="${escapeText(url)}" alt="${escapeText(text)}" loading="lazy">`;
    },
    code({ text, lang }) {
      return `<pre tabindex="0"${lang ? ` data-code="${escapeText(lang)}"` : ''}><code>${escapeText(text)}\n</code></pre>\n`;
    },
    // The CSP forbids inline styles, so column alignment is dropped.
    table({ header, rows }) {
      const row = (cells, tag) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`;
      const body = rows.map(cells => row(cells, 'td')).join('');
      return `<div class="wide" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
    },
    html: ({ text }) => escapeText(text),
  };
  const html = new Marked({ renderer }).parse(text);
  return { title: plain(/<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1] ?? file), html, headings };
}

/** Guides by name, in the order in which README.md links to them. */
export function renderGuides(about) {
  const readme = readFileSync('README.md', 'utf8');
  const place = file => readme.indexOf(`](${file})`);
  const guides = readdirSync('docs')
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`);
  const files = ['README.md', ...[...guides, 'SECURITY.md'].sort((a, b) => place(a) - place(b))];
  return {
    about: render('openapi.json', about, []).html,
    guides: Object.fromEntries(files.map(file => [nameOf(file), render(file, readFileSync(file, 'utf8'), files)])),
  };
}
