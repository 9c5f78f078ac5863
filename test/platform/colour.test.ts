import fc from 'fast-check';
import { contrast, darkenFor, lightenFor } from '../../src/platform/colour';

it('the contrasts equal the examples of WCAG', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#ffffff', '#ffffff')).toBe(1);
});

it('a colour with enough contrast is not changed', () => {
  expect(darkenFor('#ffffff', '#0b4f9e')).toBe('#0b4f9e');
});

it.each([
  ['darkens', darkenFor, '#f5f7f9'],
  ['lightens', lightenFor, '#131a21'],
])('%s any other colour just enough', (_, change, paper) => {
  const colours = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colours, colour => {
      const changed = change(paper, colour);
      expect(changed).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrast(changed, paper)).toBeGreaterThanOrEqual(4.5);
      if (changed !== colour) expect(contrast(changed, paper)).toBeLessThan(6);
    }),
  );
});
