export function requireElement<T extends HTMLElement = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): T {
  const element = within.querySelector<T>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}
