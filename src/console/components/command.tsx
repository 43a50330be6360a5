import { Copy } from './id.js'
import { Scroll } from './panel.js'

export const Command = ({ text, what = 'command' }: { text: string; what?: string }) => (
  <div class="command">
    <Scroll label={what}>
      <pre>
        <code>{text}</code>
      </pre>
    </Scroll>
    <Copy text={text} what={what} />
  </div>
)
