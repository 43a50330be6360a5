const MEDIA_TYPE = 'text/event-stream'

/** Headers of server-sent events. The last one stops nginx from buffering them. */
export const EVENT_STREAM = {
  'content-type': MEDIA_TYPE,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

export const isEventStream = (headers: Headers): boolean =>
  headers.get('content-type')?.startsWith(MEDIA_TYPE) ?? false
