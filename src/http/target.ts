const SERVER = /^https?:\/\/[^/?#]+/i

/** Path and query of a request target, which may name the server before them (RFC 9112, section 3.2.2). */
export const withoutServer = (target: string): string => target.replace(SERVER, '')
