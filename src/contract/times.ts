import * as z from 'zod'
import type { ReadingLookup } from '../assumptions/ids.js'
import type { ReadingSource } from './schema-variants.js'

/** An instant of the world, in UTC with milliseconds, as answers write it (time.form). */
export const formatTime = (at: string, read: ReadingLookup): string => {
  switch (read('time.form')) {
    case 'milliseconds':
      return at
    case 'seconds':
      return `${at.slice(0, SECONDS_END)}Z`
    case 'offset':
      return `${at.slice(0, -1)}+00:00`
  }
}

/** The schema of such an instant. */
export const timeAs = (mayRead: ReadingSource) =>
  z.iso.datetime({ offset: mayRead('time.form', 'offset') })

const SECONDS_END = '2026-06-15T09:00:00'.length
