/** Marks of card brands, drawn here because the pages load nothing from other sites. Their colours are in `payer.css`. */
const SVG = 'http://www.w3.org/2000/svg';

type Shape = [name: string, attributes: Record<string, string | number>, text?: string];

const word = (text: string, size: number, className = ''): Shape => [
  'text',
  { x: 24, y: 16 + size * 0.36, 'font-size': size, 'text-anchor': 'middle', class: className },
  text,
];

const shapes: Record<string, Shape[]> = {
  Visa: [word('VISA', 15, 'visa')],
  Mastercard: [
    ['circle', { cx: 19, cy: 16, r: 9, class: 'mastercard-left' }],
    ['circle', { cx: 29, cy: 16, r: 9, class: 'mastercard-right' }],
    ['path', { d: 'M24 8.5a9 9 0 0 1 0 15a9 9 0 0 1 0-15', class: 'mastercard-both' }],
  ],
  'American Express': [['rect', { width: 48, height: 32, rx: 4, class: 'amex' }], word('AMEX', 13, 'amex-word')],
  'Diners Club': [
    ['circle', { cx: 24, cy: 16, r: 11, class: 'diners' }],
    ['path', { d: 'M21 8.5v15a8 8 0 0 1 0-15M27 8.5v15a8 8 0 0 0 0-15', class: 'diners-halves' }],
  ],
};

const MAX_LETTERS = 10;

/** Its accessible name is the title of the brand. */
export function brandMark(title: string): SVGElement {
  const mark = draw('svg', { viewBox: '0 0 48 32', role: 'img', 'aria-label': title });
  const drawn = shapes[title] ?? [word(title.slice(0, MAX_LETTERS), 9)];
  mark.append(draw('rect', { x: 0.5, y: 0.5, width: 47, height: 31, rx: 4, class: 'card' }));
  mark.append(...drawn.map(([name, attributes, text]) => draw(name, attributes, text)));
  return mark;
}

function draw(name: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement;
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  element.textContent = text;
  return element;
}
