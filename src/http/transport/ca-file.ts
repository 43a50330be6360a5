import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { explainFileError } from '../../lib/read-file.js'
import { OptionError } from '../../runtime/options.js'

/** A certificate in a file, for clients to trust. */
export interface TrustFile {
  readonly path: string
  remove(): void
}

/** Writes a certificate into a folder of its own, which is removed with the process at the latest. */
export const writeTrustFile = (cert: string): TrustFile => {
  try {
    return write(cert)
  } catch (error) {
    const problem = `${tmpdir()} cannot be written: ${explainFileError(error)}`
    const expected = 'a temporary folder for the certificate that is made, or one of your own'
    throw new OptionError({ problem, expected }, 'tls')
  }
}

const write = (cert: string): TrustFile => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  const path = join(folder, 'sandramp-localhost.pem')
  writeFileSync(path, cert, { mode: 0o600 })
  return { path, remove }
}
