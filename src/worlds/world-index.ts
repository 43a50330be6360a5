import { findLabel } from '../domain/api-keys.js'
import type { ApiKey } from '../domain/schema.js'
import { deriveWorldId } from '../lib/secrets.js'
import type { Commit, ListedWorld, WorldPage, WorldQuery } from './port.js'

/** The end of the world's own key, its label, and hashes of other keys, as far as a commit creates or changes them. */
export const toIndexed = ({ id, entries }: Commit) => {
  const keys = entries
    .flatMap(({ changes }) => changes.map(({ table, record }) => table === 'api_keys' && record))
    .filter((it): it is ApiKey => Boolean(it))
  const isOwn = ({ hash }: ApiKey) => deriveWorldId(hash) === id
  const hashes = keys.filter((key) => !isOwn(key)).map(({ hash }) => hash)
  const own = keys.findLast(isOwn)
  return { last_four: own?.last_four ?? null, name: findLabel(own), hashes }
}

export const pageOfWorlds = (
  worlds: readonly ListedWorld[],
  { page, size, text = '', name, tenants }: WorldQuery,
): WorldPage => {
  const isListed = (it: ListedWorld) =>
    describeWorld(it).includes(text) &&
    (name === undefined || it.name === name) &&
    (!tenants || tenants.includes(it.tenant ?? ''))
  const isAll = text === '' && name === undefined && !tenants
  const found = isAll ? worlds : worlds.filter(isListed)
  return { worlds: found.slice(page * size, (page + 1) * size), total: found.length }
}

const describeWorld = ({ id, last_four, name }: ListedWorld): string =>
  `${last_four === null ? 'default world' : `world …${last_four}`} ${id} ${name ?? ''}`.toLowerCase()
