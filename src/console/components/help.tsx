import type { PageContext } from '../page-context.js'

type Pages = readonly (readonly [path: string, name: string, key: string])[]

/** A script opens the dialog. Without script there are no shortcuts. */
export const HelpDialog = ({ ctx, pages }: { ctx: PageContext; pages: Pages }) => (
  <dialog id="help" aria-labelledby="help-title">
    <h2 id="help-title">Keyboard shortcuts</h2>
    <dl class="keys">
      <Key keys={['?']} does="Show this help" />
      <Key keys={['/']} does="Search" />
      <Key keys={['j']} does="Next row" />
      <Key keys={['k']} does="Previous row" />
      <Key keys={['Enter']} does="Open the focused link" />
      <Key keys={['Esc']} does="Close, or leave a field" />
      {pages.map(([path, name, key]) => (
        <Key keys={['g', key]} does={name} path={ctx.href(path)} />
      ))}
    </dl>
    <form method="dialog">
      <button type="submit">Close</button>
    </form>
  </dialog>
)

const Key = ({ keys, does, path }: { keys: readonly string[]; does: string; path?: string }) => (
  <div data-key={path && keys.at(-1)} data-path={path}>
    <dt>
      {keys.map((key, i) => (
        <>
          {i > 0 ? ' then ' : null}
          <kbd>{key}</kbd>
        </>
      ))}
    </dt>
    <dd>{does}</dd>
  </div>
)
