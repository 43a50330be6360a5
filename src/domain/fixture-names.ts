import type { Account, Consent, Tables, User, Wallet } from './schema.js'

/** Records of the fixtures by short names, such as `ada`, `adaEur` and `adaPolygon`. */
export interface NamedFixtures {
  readonly users: Readonly<Record<string, User>>
  readonly accounts: Readonly<Record<string, Account>>
  readonly wallets: Readonly<Record<string, Wallet>>
  /** Consents without a user: `unused`. */
  readonly consents: Readonly<Record<string, Consent>>
}

/** Oldest records have the shortest names. */
export const nameFixtures = ({ users, accounts, wallets, consents }: Tables): NamedFixtures => {
  const people = nameAll(users.all(), ({ first_name, last_name }) => [
    toName(first_name),
    toName(`${first_name} ${last_name}`),
  ])
  const owners = new Map(Object.entries(people).map(([name, { id }]) => [id, name]))
  const owned = (user: string, ...words: readonly string[]) =>
    words.map((word) => toName(`${owners.get(user) ?? ''} ${word}`))
  return {
    users: people,
    accounts: nameAll(accounts.all(), ({ user_id, currency, nickname }) =>
      owned(user_id, currency, nickname),
    ),
    wallets: nameAll(wallets.all(), ({ user_id, blockchain }) => owned(user_id, blockchain)),
    consents: nameAll(
      consents.all().filter(({ used_by }) => used_by === null),
      () => ['unused'],
    ),
  }
}

/** Takes the first free of its names, else the last one with a number. */
const nameAll = <R>(
  records: readonly R[],
  names: (record: R) => readonly string[],
): Record<string, R> => {
  const named: Record<string, R> = {}
  for (const record of records) {
    const wanted = names(record)
    const last = wanted.at(-1) ?? ''
    let name = wanted.find((it) => !(it in named))
    for (let n = 2; name === undefined; n++) if (!(`${last}${n}` in named)) name = `${last}${n}`
    named[name] = record
  }
  return named
}

/** `Chloé Martin` is `chloeMartin`. */
const toName = (words: string): string =>
  words
    .normalize('NFD')
    .replace(/[\p{M}']/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word, i) => (i === 0 ? word[0]?.toLowerCase() : word[0]?.toUpperCase()) + rest(word))
    .join('')

/** Names keep their inner capitals, codes such as EUR do not. */
const rest = (word: string): string =>
  /^[A-Z0-9]+$/.test(word) ? word.slice(1).toLowerCase() : word.slice(1)
