/** The SVG is inlined by the build. */
export const Icon = ({ svg, label }: { svg: string; label?: string }) => (
  <span
    class="icon"
    {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    dangerouslySetInnerHTML={{ __html: svg.slice(svg.indexOf('<svg')) }}
  />
);
