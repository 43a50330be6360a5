import { randomUUID } from 'node:crypto'
import { runCli } from '../cli/sandramp.js'

/** A world of a tenant, and the token for its control calls. */
export interface Caller {
  readonly key: string
  readonly token: string
  /** It sends what a server refuses. */
  readonly isAttacker: boolean
}

const draw = (length: number) => randomUUID().replaceAll('-', '').slice(0, length)

export class Tenant {
  private constructor(
    private readonly prefix: string,
    private readonly token: string,
    private readonly isAttacker: boolean,
  ) {}

  static async add(database: string, name: string): Promise<Tenant> {
    const { stdout, stderr } = await runCli(['tenant', 'add', name, '--data', database])
    const [, prefix, token] = /(SandboxWorld\w{10}) .*\n.*token\s+(\S+)/.exec(stdout) ?? []
    if (!prefix || !token) throw new Error(`no tenant was added: ${stdout}${stderr}`)
    return new Tenant(prefix, token, name === 'attacker')
  }

  openWorld(): Caller {
    return { key: this.prefix + draw(10), token: this.token, isAttacker: this.isAttacker }
  }
}

const large = (kib: number) => ({
  name: 'large',
  title: 'Large',
  rules: [{ when: 'request', then: [{ respond: { status: 503, body: 'x'.repeat(kib * 1024) } }] }],
})

/** Calls that would stop others if nothing limited them. */
export const ATTACKS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', '/_sandbox/scenarios', large(900)],
  ['POST', '/_sandbox/scenarios', large(200)],
  ['POST', '/_sandbox/snapshots', { name: `s${draw(4)}` }],
  ['POST', '/_sandbox/snapshots', { name: 'one' }],
  ['POST', '/_sandbox/snapshots/one/fork'],
  ['POST', '/_sandbox/reset'],
  ['POST', '/_sandbox/worlds', { name: 'a\0b' }],
  ['GET', '/_sandbox/journal?size=5'],
  ['GET', '/_sandbox/worlds?size=1000'],
  ['GET', '/_sandbox/assumptions/report'],
  ['POST', '/_sandbox/clock/advance', { by: '3650d' }],
]
