import { basename } from 'node:path'
import { nextTick, type Schedule } from '../../lib/machine-clock.js'
import { DataError, SeedMismatchError, unusable } from '../errors.js'
import { type Checkpoint, journalPath, nextJournalPath } from './data-files.js'
import { dataPath } from './data-path.js'
import { type FileSystem, nodeFileSystem } from './file-system.js'
import { lock } from './lock.js'
import { type JournalText, readJournal } from './read-journal.js'
import { type RecoveredState, recoverWorlds } from './recovery.js'
import { parseSnapshot } from './snapshot.js'
import { Store } from './store.js'
import { validateShapes, validateWorlds } from './validate.js'
import { WalFile } from './wal-file.js'
import { checksum, type Fingerprint, isPrint, type WalHeader } from './wal-records.js'
import { WorldArchiveFolder } from './world-archive.js'

export interface OpenStoreOptions {
  /** The seed that was asked for: a file keeps the one that it began with. */
  readonly seed?: string | undefined
  readonly later: Schedule
  readonly tell: (sentence: string) => void
  readonly fs?: FileSystem | undefined
  /** The smallest journal that is folded while the sandbox runs, in bytes; 1 MiB when left out. */
  readonly foldAt?: number | undefined
}

/** What the files held. */
export interface Found extends RecoveredState {
  readonly lastFold: Checkpoint | undefined
}

/** A store that has not begun to write, and what its files held; nothing when they are new. */
export interface OpenedStore {
  readonly store: Store
  readonly found: Found | undefined
}

/** Takes a data file for this process and reads it. Changes nothing: what cannot be used stays as it is. */
export const openStore = async (
  given: string,
  { seed, later, tell, fs = nodeFileSystem, foldAt }: OpenStoreOptions,
): Promise<OpenedStore> => {
  const path = await dataPath(given)
  const held = await lock(path, given)
  try {
    const aside = await WorldArchiveFolder.open(fs, path)
    const store = new Store({
      path,
      name: given,
      fs,
      aside,
      lock: held,
      later,
      tell,
      foldAt,
      soon: nextTick,
    })
    const found = await find(path, fs, aside, tell)
    if (found && seed !== undefined && seed !== found.seed) {
      await found.lastFold?.journal?.close()
      throw new SeedMismatchError(otherSeed(given, found.seed, seed))
    }
    for (const id of found?.leftovers ?? []) store.leaveOut(id)
    return { store, found }
  } catch (error) {
    await held.release()
    throw unusable(error, given)
  }
}

const find = async (
  path: string,
  fs: FileSystem,
  aside: WorldArchiveFolder,
  tell: (sentence: string) => void,
): Promise<Found | undefined> => {
  const name = basename(path)
  const journal = await openJournal(path, fs)
  const next = await nextHeader(path, fs)
  const bytes = await fs.read(path)
  if (!bytes) {
    if (journal && journal.count > 0) throw new DataError(withoutSnapshot(name))
    // Whatever worlds were put aside belong to a file that is gone.
    for (const id of [...aside.ids]) await aside.remove(id)
    return undefined
  }
  const state = parseSnapshot(bytes, name)
  const print = { crc: checksum(bytes), size: bytes.length }
  // An unedited snapshot needs no validation.
  const fits = listFingerprints(journal, next).some((it) => isPrint(it, print))
  if (!fits) validateShapes(state, name)
  const following = { text: journal, name: journalPath(name), fits, next }
  const rebuilt = recoverWorlds(state, following, aside)
  if (!fits) validateWorlds(rebuilt.worlds, state, rebuilt.base, name)
  if (journal && journal.torn > 0) tell(tornTail(journalPath(name), journal.torn))
  // One that goes on from another snapshot has to be written anew, and so has one that needs files put aside.
  const isFree = rebuilt.leftovers.length === 0 && !rebuilt.isForked
  const goesOn = journal !== undefined && isFree && isPrint(journal.header.snapshot, print)
  const lastFold = {
    snapshot: print,
    folded: journal?.header.after ?? state.line,
    journal: goesOn ? await reopenJournal(path, fs, journal, rebuilt.lines) : undefined,
    isTorn: journal !== undefined && journal.torn > 0,
  }
  return { ...rebuilt, lastFold }
}

const openJournal = async (path: string, fs: FileSystem): Promise<JournalText | undefined> => {
  const bytes = await fs.read(journalPath(path))
  return bytes && readJournal(bytes, basename(journalPath(path)))
}

/**
 * The snapshots that this program may have left: the one that the journal goes on from, and what a journal
 * knows which a crash, or a full disk, has kept from taking its place.
 */
const listFingerprints = (
  journal: JournalText | undefined,
  next: WalHeader | undefined,
): Fingerprint[] =>
  [journal?.header.snapshot, next?.snapshot, next?.before].filter((it) => it !== undefined)

/** The first line of a journal that was to take the place of the one that is there: a crash may have left anything. */
const nextHeader = async (path: string, fs: FileSystem): Promise<WalHeader | undefined> => {
  const bytes = await fs.read(nextJournalPath(path))
  try {
    return bytes && readJournal(bytes, basename(nextJournalPath(path))).header
  } catch {
    return undefined
  }
}

const reopenJournal = async (
  path: string,
  fs: FileSystem,
  { header, size }: JournalText,
  lines: number,
): Promise<WalFile> => {
  const file = await fs.open(journalPath(path), 'as it is', 'through')
  return new WalFile(file, header.snapshot, size, lines)
}

const otherSeed = (name: string, kept: string, seed: string): string =>
  `${JSON.stringify(seed)} came; accepted: ${JSON.stringify(kept)}, with which ${name} began, or none; ` +
  'another seed takes another data file'

const withoutSnapshot = (name: string): string =>
  `${journalPath(name)}: it goes on from ${name}, which is not there; bring that back, or remove both ` +
  'to begin anew; nothing was changed'

const tornTail = (name: string, bytes: number): string =>
  `${name}: a crash cut its end off; those ${bytes} bytes are dropped, nothing that was answered is in them`
