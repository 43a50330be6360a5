/** A subject that the contract does not mention, so the sandbox has no readings for it. */
export interface LeftOut {
  readonly topic: string
  readonly question: string
}

/** Questions for the operator of the service. No test run can answer them. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    topic: 'Webhooks',
    question:
      'Are there webhooks or other events? If not, how often may a client poll for a change of status?',
  },
  {
    topic: 'Registering accounts',
    question:
      'How is a destination account registered, changed and listed, and what does the service check?',
  },
  {
    topic: 'Reading a wallet',
    question: 'Which call returns a wallet with its balances, and which one lists all wallets?',
  },
  {
    topic: 'Permissions',
    question:
      'Which permissions are there besides read-only, and which one does each operation need?',
  },
  {
    topic: 'Limits',
    question:
      'Which rate limits and quotas apply, and how large may a body, an image and an amount be?',
  },
]
