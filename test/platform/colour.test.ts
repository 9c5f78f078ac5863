import fc from 'fast-check';
import { contrast, darkenFor } from '../../src/platform/colour';

it('knows the contrasts that WCAG gives as examples', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#ffffff', '#ffffff')).toBe(1);
});

it('leaves a colour that is read well as it is', () => {
  expect(darkenFor('#ffffff', '#0b4f9e')).toBe('#0b4f9e');
});

it('darkens any other until it is, and no further than that', () => {
  const colours = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colours, colour => {
      const darker = darkenFor('#f3f5f8', colour);
      expect(darker).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrast(darker, '#f3f5f8')).toBeGreaterThanOrEqual(4.5);
      if (darker !== colour) expect(contrast(darker, '#f3f5f8')).toBeLessThan(6);
    }),
  );
});
