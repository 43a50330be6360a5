import { oneOf } from '../../lib/yaml/strict.js'
import { defineFault, endRequest, endSlots } from './define.js'

const SENTENCES = {
  before: '✂ cut before anything is done',
  after: '✂ done, then cut without an answer',
  mid_body: '✂ done, then cut in the middle of the answer',
} as const

export const drop = defineFault({
  field: 'drop',
  schema: oneOf(['before', 'after', 'mid_body']),
  about: 'Drops the connection: before the operation, after it, or in the middle of the body',
  examples: ['before', 'after', 'mid_body'],
  fills: endSlots,
  effect: (side) => endRequest(side, side === 'mid_body' ? 'half' : 'cut'),
  sentence: (side) => SENTENCES[side],
  choices: (isPayout) => {
    const loses = `${isPayout ? 'pays' : 'does its work'}, and loses its response`
    return [
      ['after', loses, 'The client cannot know what happened'],
      ['before', 'breaks off, and does nothing', 'The connection ends first'],
    ] as const
  },
  words: [
    {
      name: 'loseResponse',
      value: 'after',
      about: 'Runs the operation; its response never arrives.',
    },
    {
      name: 'dropBefore',
      value: 'before',
      about: 'Breaks the connection; the operation does nothing.',
    },
  ],
})
