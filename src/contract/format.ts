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

/** An address as answers write it. Only those of EVM chains are the same in any case (address.case). */
export const formatAddress = (address: string, read: ReadingLookup): string => {
  if (!address.startsWith('0x')) return address
  const lower = address.toLowerCase()
  return lower === address || read('address.case') === 'lower' ? lower : address
}

/** A chain as answers spell it (chain.spelling). */
export const formatChain = (chain: string, read: ReadingLookup): string =>
  read('chain.spelling') === 'upper' ? chain.toUpperCase() : chain
