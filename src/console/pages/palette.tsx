import { ActionButton } from '../components/form.js'
import { Status } from '../components/status.js'
import { param } from '../filters.js'
import { escapeBidi } from '../format.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { type Hit, search } from '../search.js'

/** The results of the search. The palette shows those of this page. */
export const findPage: DrawPage = (ctx) => {
  const text = param(ctx, 'q') ?? ''
  return {
    title: 'Search',
    body: (
      <>
        <h1>Search or do something</h1>
        <form action="/find" class="row">
          {ctx.worldId ? <input type="hidden" name="world" value={ctx.worldId} /> : null}
          <input
            type="search"
            name="q"
            value={text}
            aria-label="Search or do something"
            placeholder="Amount, name, id, address, reason, operation"
            autocomplete="off"
          />
          <button type="submit">Search</button>
        </form>
        <div id="hits">
          {search(ctx, text).map(({ title, hits }) => (
            <div>
              <h2>{title}</h2>
              {hits.map((hit) => (
                <HitLine ctx={ctx} hit={hit} />
              ))}
            </div>
          ))}
        </div>
      </>
    ),
  }
}

const HitLine = ({ ctx, hit }: { ctx: PageContext; hit: Hit }) => {
  const { text, note, status, path = '/', run } = hit
  if (run) {
    return (
      <ActionButton ctx={ctx} operation={run.operation} given={run.given} kind="option">
        {escapeBidi(text)}
      </ActionButton>
    )
  }
  return (
    <a class="option" href={path === '/reference' ? path : ctx.href(path)}>
      <bdi>{text}</bdi> {status ? <Status status={status} /> : <small>{note}</small>}
    </a>
  )
}
