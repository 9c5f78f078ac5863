/** The contrast that WCAG level AA requires for text of any size. */
const MIN_CONTRAST = 4.5;
const STEP_FACTOR = 0.95;

type Rgb = readonly [number, number, number];

const parse = (colour: string): Rgb => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};
const format = (rgb: Rgb): string => `#${rgb.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map(part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [light = 1, dark = 0] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const darken = (rgb: Rgb): Rgb => change(rgb, part => Math.floor(part * STEP_FACTOR));
const lighten = (rgb: Rgb): Rgb => change(rgb, part => 255 - Math.floor((255 - part) * STEP_FACTOR));
const change = ([red, green, blue]: Rgb, by: (part: number) => number): Rgb => [by(red), by(green), by(blue)];

function legibleOn(paper: string, colour: string, step: (rgb: Rgb) => Rgb): string {
  let changed = parse(colour);
  while (contrast(format(changed), paper) < MIN_CONTRAST) changed = step(changed);
  return format(changed);
}

/** Returns the colour, darkened if needed, so that it is legible on light `paper` and as its background. */
export const darkenFor = (paper: string, colour: string): string => legibleOn(paper, colour, darken);
/** Returns the colour, lightened if needed, so that it is legible on dark `paper` and as its background. */
export const lightenFor = (paper: string, colour: string): string => legibleOn(paper, colour, lighten);
