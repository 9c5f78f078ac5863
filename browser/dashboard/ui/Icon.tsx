/** An icon of the set. Its drawing comes from the build, so that nothing is loaded for it. */
export const Icon = ({ svg, label }: { svg: string; label?: string }) => (
  <span
    class="icon"
    {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    dangerouslySetInnerHTML={{ __html: svg.slice(svg.indexOf('<svg')) }}
  />
);
