/** All that HTTPS takes, in one module that is loaded when it is asked for. */

export { writeTrustFile } from './ca-file.js'
export { generateKeyPair as makePair } from './certificate.js'
export { readKeyPair as readPair } from './key-pair.js'
export { createTlsServer as createFront } from './tls-server.js'
