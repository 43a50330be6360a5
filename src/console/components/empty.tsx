import type { Child } from 'hono/jsx'

/** A place without records, and a command that makes one. */
export const Empty = ({ children, command }: { children: Child; command?: string | undefined }) => (
  <div class="empty flow">
    <p>{children}</p>
    {command ? <Command text={command} /> : null}
  </div>
)

export const Command = ({ text }: { text: string }) => (
  <div class="command">
    <pre class="json" tabindex={0}>
      {text}
    </pre>
    <button type="button" data-copy={text}>
      Copy
    </button>
  </div>
)
