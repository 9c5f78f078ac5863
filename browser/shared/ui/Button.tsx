import type { ComponentChildren, JSX } from 'preact';

interface ButtonProps extends Omit<JSX.HTMLAttributes<HTMLButtonElement>, 'type'> {
  /** One primary action per screen; `danger` for irreversible actions. */
  kind?: 'primary' | 'plain' | 'danger';
  type?: 'button' | 'submit';
  isBusy?: boolean;
  disabled?: boolean;
  children: ComponentChildren;
}

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
