import { crc32 } from 'node:zlib'
import type { Disk } from './disk.js'
import { hexOf, type Print } from './lines.js'

/** So much is written out at a time: a millisecond or two, in which nothing else gets its turn. */
const SLICE = 128 * 1024
/** So much is flushed at a time, so that the disk has no long queue when somebody waits for it. */
const STRETCH = 4 * 1024 * 1024

/** Writes a long text into a new file, slice by slice, and flushes it. */
export const writeText = async (
  disk: Disk,
  path: string,
  pieces: Iterable<string>,
): Promise<Print> => {
  const file = await disk.open(path, 'empty')
  let sum = 0
  let size = 0
  let flushed = 0
  try {
    for (const slice of slices(pieces)) {
      const bytes = Buffer.from(slice)
      await file.write(bytes, size)
      sum = crc32(bytes, sum)
      size += bytes.length
      if (size - flushed < STRETCH) continue
      await file.flush()
      flushed = size
    }
    await file.flush()
  } finally {
    await file.close()
  }
  return { crc: hexOf(sum), size }
}

function* slices(pieces: Iterable<string>): Generator<string> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < SLICE) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}
