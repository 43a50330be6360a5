/** What an answer of server-sent events carries. nginx would hold events back until a buffer of its own is full. */
export const EVENT_STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}
