import type { Outcome } from '../../../generated/api-types.js'

/** All missed expectations, each with its near misses below it. */
export const describeMisses = (outcomes: readonly Outcome[]): string =>
  outcomes
    .filter(({ ok }) => !ok)
    .flatMap((it) => [
      `MISSED  ${it.sentence}`,
      ...describeMiss(it).map((line) => `        ${line}`),
    ])
    .join('\n')

/** Violations of the ledger, and near misses with the fields that differ. */
export const describeMiss = ({
  candidates,
  violations = [],
}: Pick<Outcome, 'candidates' | 'violations'>): string[] => [
  ...violations,
  ...candidates.flatMap(({ what, differs }) => [
    what,
    ...differs.map(
      ({ field, wanted, came }) =>
        `  ${field}: expected ${formatValue(wanted)}, got ${formatValue(came)}`,
    ),
  ]),
]

const formatValue = (value: unknown): string =>
  typeof value === 'string' && /^[\w .:\u2026-]+$/.test(value) ? value : JSON.stringify(value)
