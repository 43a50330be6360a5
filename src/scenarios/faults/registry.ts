import { delay } from './delay.js'
import { drop } from './drop.js'
import { hang } from './hang.js'
import { hold } from './hold.js'
import { malform } from './malform.js'
import { patch } from './patch.js'
import { reset } from './reset.js'
import { respond } from './respond.js'
import { stale } from './stale.js'
import { throttle } from './throttle.js'
import { trickle } from './trickle.js'

/** All faults, in the order of documents, messages and choices. */
export const faults = [
  drop,
  respond,
  delay,
  hold,
  hang,
  reset,
  patch,
  malform,
  trickle,
  stale,
  throttle,
] as const
