import type { ComponentChildren, JSX } from 'preact';

interface ButtonProps extends Omit<JSX.HTMLAttributes<HTMLButtonElement>, 'type'> {
  /** One primary action for each screen; `danger` for what cannot be taken back. */
  kind?: 'primary' | 'plain' | 'danger';
  type?: 'button' | 'submit';
  isBusy?: boolean;
  disabled?: boolean;
  children: ComponentChildren;
}

/** While it is busy it cannot be pressed again. */
export const Button = ({
  kind = 'plain',
  type = 'submit',
  isBusy = false,
  disabled = false,
  children,
  ...rest
}: ButtonProps) => (
  <button {...rest} type={type} class={`button ${kind}`} disabled={disabled || isBusy} aria-busy={isBusy}>
    {children}
  </button>
);
