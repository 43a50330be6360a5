const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

export const SIZE_FORM = 'a number of KiB, MiB or GiB, such as 32MiB'

/** Reads `32MiB` as bytes; undefined for anything else. */
export const parseSize = (text: string): number | undefined => {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([KMG]iB)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 1)
}

/** `31.9 MiB`, or `812 bytes`. */
export const formatSize = (bytes: number): string => {
  const [unit, size] = Object.entries(UNITS).findLast(([, it]) => bytes >= it) ?? ['bytes', 1]
  return `${Math.round((bytes / size) * 10) / 10} ${unit}`
}
