interface Family {
  comments: string[];
  samples: string[];
}

/** Joins metrics pages of several processes, with a `process` label on each sample and one description per metric. */
export function joinMetrics(pages: readonly (readonly [process: string, text: string])[]): string {
  const families = new Map<string, Family>();
  for (const [process, page] of pages) {
    let family: Family = { comments: [], samples: [] };
    const described = new Set<string>();
    for (const line of page.split('\n').filter(text => text.trim() !== '')) {
      const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (!kind) {
        if (!line.startsWith('#')) family.samples.push(label(line, process));
        continue;
      }
      family = families.get(name) ?? { comments: [], samples: [] };
      if (!families.has(name)) described.add(name);
      families.set(name, family);
      if (described.has(name)) family.comments.push(line);
    }
  }
  return `${[...families.values()].flatMap(({ comments, samples }) => [...comments, ...samples]).join('\n')}\n`;
}

/** A label's value may hold braces, so only the first one of the line counts. */
function label(line: string, process: string): string {
  const [, name = '', rest = ''] = /^([\w:]+)(.*)$/.exec(line) ?? [];
  const own = `process="${process}"`;
  if (!rest.startsWith('{')) return `${name}{${own}}${rest}`;
  return rest.startsWith('{}') ? `${name}{${own}}${rest.slice(2)}` : `${name}{${own},${rest.slice(1)}`;
}
