/** The tally of a run, and what was found wrong. */
export class Counts {
  readonly #counts = new Map<string, number>()
  readonly findings: string[] = []

  add(name: string, n = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + n)
  }

  find(finding: string): void {
    this.findings.push(finding)
  }

  toString(): string {
    const counts = [...this.#counts].map(([name, n]) => `${n} ${name}`)
    return [`${this.findings.length} findings`, ...counts].join(', ')
  }
}
