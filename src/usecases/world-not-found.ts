import { notFound, type Refusal } from '../kernel/refusal.js'
import { isWorldKey, WORLD_KEY_FORM } from '../lib/secrets.js'
import { quote } from '../lib/text.js'

const MAX_SHOWN = 64

/** That no world has this id. A key in its place is not repeated. */
export const worldNotFound = (field: string, id: string): Refusal =>
  notFound(
    field,
    isWorldKey(id)
      ? 'a key came; accepted: the id of a world, which GET /_sandbox/worlds tells. The key itself goes as x-api-key'
      : `no world has the id ${quote(id, MAX_SHOWN)}. One begins with the first use of a key ` +
          `of the form ${WORLD_KEY_FORM}, or with POST /_sandbox/worlds; GET /_sandbox/worlds lists them`,
  )
