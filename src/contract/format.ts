import * as z from 'zod'
import type { ReadingLookup } from '../assumptions/ids.js'
import type { ReadingSource } from './schema-variants.js'

/** time.form decides the form. */
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

export const timeAs = (mayRead: ReadingSource) =>
  z.iso.datetime({ offset: mayRead('time.form', 'offset') })

const SECONDS_END = '2026-06-15T09:00:00'.length

/** Only EVM addresses have a choice of case (address.case). */
export const formatAddress = (address: string, read: ReadingLookup): string => {
  if (!address.startsWith('0x')) return address
  const lower = address.toLowerCase()
  return lower === address || read('address.case') === 'lower' ? lower : address
}

/** chain.spelling decides the case. */
export const formatChain = (chain: string, read: ReadingLookup): string =>
  read('chain.spelling') === 'upper' ? chain.toUpperCase() : chain
