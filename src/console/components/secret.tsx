import { Copy } from './id.js'

/** The page shows a secret once, because the sandbox stores only a hash. */
export const Secret = ({ of, secret, kept }: { of: string; secret: string; kept: string }) => (
  <div class="secret" role="status">
    <p>
      The {kept} of <strong>{of}</strong>. It is shown only now: the sandbox stores a hash of it.
    </p>
    <p class="command">
      <code>{secret}</code> <Copy text={secret} what={kept} />
    </p>
  </div>
)
