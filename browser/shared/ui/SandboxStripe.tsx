import type { ComponentChildren } from 'preact';
import { pick } from '../language';

const text = pick({ es: 'Modo de prueba: no se mueve dinero real.', en: 'Test mode: no real money moves.' });

export const SandboxStripe = ({ children }: { children?: ComponentChildren }) => (
  <aside class="sandbox" aria-label="Sandbox">
    {text} {children}
  </aside>
);
