/** A data file that cannot be used, or not now. The message names the file and what is wrong. */
export class DataError extends Error {
  /** For Node, which shows the class of an error by this; a bundle shortens it. */
  static override readonly name = 'DataError'
  override readonly name = 'DataError'
}

/** A seed that is not the one which a data file keeps. */
export class OtherSeed extends DataError {}

/** A change that was refused, or taken back, because it cannot be written down. */
export class NotKept extends Error {
  override readonly name = 'NotKept'
}
