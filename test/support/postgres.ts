import { execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { isRunning } from '../cli/sandramp.js'

/** Debian keeps the programs of the server off the PATH. */
const DEBIAN = '/usr/lib/postgresql'

const findPrograms = (): string | undefined => {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    : []
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}

const programs = findPrograms()

/** Tests of Postgres are skipped without it, unless the variable forbids that: then they fail. */
export const hasPostgres = programs !== undefined || process.env.SANDRAMP_REQUIRE_POSTGRES === '1'

/** It must be in no message. */
export const PASSWORD = 'secret-of-tests'

/** Postgres refuses to run as root. */
const findUser = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** The folder of a server has the id of the process that started it. */
const PREFIX = 'sandramp-postgres-'

/** Removes what killed runs left behind. A server without its folder ends within a minute. */
const removeLeftovers = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const isLeft =
      name.startsWith(PREFIX) && !isRunning(Number.parseInt(name.slice(PREFIX.length), 10))
    if (isLeft) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A server of its own for a test file, with a new place for each test. */
class TestPostgres {
  readonly port: number
  readonly url: string
  readonly #folder: string
  readonly #user: { uid: number; gid: number } | undefined
  #places = 0

  static async start(): Promise<TestPostgres> {
    removeLeftovers()
    const server = new TestPostgres(await findPort())
    await server.#initialize()
    return server
  }

  private constructor(port: number) {
    this.port = port
    this.url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`
    this.#folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
    this.#user = findUser()
    if (this.#user) chownSync(this.#folder, this.#user.uid, this.#user.gid)
  }

  async #initialize(): Promise<void> {
    const passwordFile = join(this.#folder, 'password')
    writeFileSync(passwordFile, PASSWORD)
    await this.#run('initdb', [
      '-N',
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
    ])
    await this.#launch()
  }

  async #launch(): Promise<void> {
    const settings = `-c listen_addresses=127.0.0.1 -c port=${this.port} -c unix_socket_directories=${this.#folder}`
    await this.#run('pg_ctl', ['start', '-w', '-l', this.#log, '-o', settings])
  }

  /** Ends at once, as a kill does, and starts again. */
  async crash(): Promise<void> {
    await this.#run('pg_ctl', ['stop', '-m', 'immediate'])
    await this.#launch()
  }

  get #log(): string {
    return join(this.#folder, 'log')
  }

  async stop(): Promise<void> {
    await this.#run('pg_ctl', ['stop', '-m', 'immediate'])
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** The server keeps the streams that it inherits, so it gets none. */
  #run(program: string, args: readonly string[]): Promise<void> {
    if (programs === undefined) throw new Error('Postgres is not installed: initdb was not found')
    const env = { ...process.env, PGDATA: join(this.#folder, 'data') }
    const options = { ...this.#user, env, cwd: this.#folder, stdio: 'ignore' } as const
    return new Promise((resolve, reject) => {
      const child = spawn(join(programs, program), args, options)
      child.once('error', reject)
      child.once('exit', (code) => {
        const log = existsSync(this.#log) ? readFileSync(this.#log, 'utf8') : ''
        if (code === 0) resolve()
        else reject(new Error(`${program} ended with ${code}\n${log}`))
      })
    })
  }

  /** URL of a new place without tables. A schema takes far less time than a database. */
  async createPlace(): Promise<string> {
    const schema = `test${++this.#places}`
    await this.query(this.url, `CREATE SCHEMA ${schema}`)
    return `${this.url}?options=-c%20search_path%3D${schema}`
  }

  /** Runs SQL as its owner, beside the store. */
  async query(url: string, text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
}

/** Starts Postgres before the tests of the describe block that calls it, and stops it after them. */
export const usePostgres = (): (() => TestPostgres) => {
  let server: TestPostgres | undefined
  beforeAll(async () => {
    server = await TestPostgres.start()
  })
  afterAll(() => server?.stop())
  return () => {
    if (!server) throw new Error('Postgres has not started')
    return server
  }
}
