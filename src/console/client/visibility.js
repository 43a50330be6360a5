/** Delays work that would slow down the first paint. */
export function afterFirstPaint(act) {
  if (!PerformanceObserver.supportedEntryTypes.includes('paint')) return act()
  const observer = new PerformanceObserver(() => {
    observer.disconnect()
    act()
  })
  observer.observe({ type: 'paint', buffered: true })
}
