/** Transient notices, announced by screen readers. */
import { signal } from '@preact/signals';

const SHOWN_MS = 6000;

interface Notice {
  id: number;
  text: string;
  tone: 'good' | 'bad';
}

const notices = signal<Notice[]>([]);
let lastId = 0;

export function notify(text: string, tone: Notice['tone'] = 'good'): void {
  const id = ++lastId;
  notices.value = [...notices.value, { id, text, tone }];
  setTimeout(() => {
    notices.value = notices.value.filter(notice => notice.id !== id);
  }, SHOWN_MS);
}

export const Notices = () => (
  <div class="notices" role="status">
    {notices.value.map(({ id, text, tone }) => (
      <p key={id} class={tone}>
        {text}
      </p>
    ))}
  </div>
);
