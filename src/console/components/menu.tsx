import type { Child } from 'hono/jsx'

const ICONS = {
  pages: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.5-1.5L14 14',
  undo: 'M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7',
  redo: 'm10 3 3.5 3.5L10 10m3-3.5H6.5a4 4 0 0 0 0 8H9',
  next: 'M4 3v10l6-5-6-5Zm8 0v10',
} as const

export const Icon = ({ name }: { name: keyof typeof ICONS }) => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={ICONS[name]} />
  </svg>
)

/** A popover: it opens without a script. A button with `popovertarget` opens it. */
export const Menu = ({ id, children }: { id: string; children: Child }) => (
  <div class="menu" id={id} popover="auto">
    {children}
  </div>
)
