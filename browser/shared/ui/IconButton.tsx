import { Icon } from './Icon';

interface IconButtonProps {
  svg: string;
  label: string;
  /** The tooltip. */
  title?: string;
  class?: string;
  onClick: () => void;
}

export const IconButton = ({ svg, label, title = label, class: kind = '', onClick }: IconButtonProps) => (
  <button type="button" class={`quiet ${kind}`} aria-label={label} title={title} onClick={onClick}>
    <Icon svg={svg} />
  </button>
);
