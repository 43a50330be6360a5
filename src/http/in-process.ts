/** What `fetch` in process asks for, by the rules of the platform's own. A path will do as URL. */
export const requestOf = (input: string | URL | Request, init?: RequestInit): Request =>
  new Request(input instanceof Request ? input : new URL(input, 'http://localhost'), init)

/**
 * Rejects with the signal's reason once the client has given up. What the request has set off goes on, as
 * behind a port.
 */
export const unlessAborted = async (
  signal: AbortSignal,
  answer: () => Response | Promise<Response>,
): Promise<Response> => {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([answer(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
