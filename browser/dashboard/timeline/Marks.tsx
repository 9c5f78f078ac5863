import type { Mark } from './timelineData';

export function MarkShape({ mark }: { mark: Mark }) {
  switch (mark) {
    case 'paid':
      return <circle r="6" class="mark paid" />;
    case 'declined':
      return <path d="M-5-5 5 5M5-5-5 5" class="mark declined" />;
    case 'would-decline':
      return (
        <g class="mark would-decline">
          <circle r="7" />
          <path d="M-3-3 3 3M3-3-3 3" />
        </g>
      );
    case 'planned':
      return <circle r="5.5" class="mark planned" />;
    case 'unanswered':
      return (
        <g class="mark unanswered">
          <circle r="6.5" />
          <text y="4">?</text>
        </g>
      );
    case 'covered':
      return (
        <g class="mark covered">
          <circle r="6.5" />
          <ellipse rx="2" ry="3.5" />
        </g>
      );
    case 'coupon':
      return (
        <g class="mark coupon">
          <circle r="7" />
          <path d="M-2.8 2.8 2.8-2.8" />
          <circle cx="-2.4" cy="-2.4" r="1" class="dot" />
          <circle cx="2.4" cy="2.4" r="1" class="dot" />
        </g>
      );
    case 'extra':
      return (
        <g class="mark extra">
          <circle r="7" />
          <path d="M-3.5 0H3.5M0-3.5V3.5" />
        </g>
      );
    case 'plan':
      return <path d="M-6-3H5L2-6M6 3H-5L-2 6" class="mark plan" />;
    case 'email':
      return (
        <g class="mark email">
          <rect x="-7" y="-5" width="14" height="10" rx="1.5" />
          <path d="M-7-4 0 1 7-4" />
        </g>
      );
    case 'end':
      return <rect x="-5" y="-5" width="10" height="10" class="mark end" />;
    default:
      return <path d="M0-6 6 0 0 6-6 0Z" class="mark note" />;
  }
}

export const Hatch = () => (
  <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="6" height="6" class="hatch-ground" />
    <rect width="2" height="6" class="hatch-line" />
  </pattern>
);

/** For entries that the items already announce. */
export const ARIA_HIDDEN = { 'aria-hidden': true } as const;
