/** Waits for the first paint with what would take time from it. */
export function whenSeen(act) {
  if (!PerformanceObserver.supportedEntryTypes.includes('paint')) return act()
  const observer = new PerformanceObserver(() => {
    observer.disconnect()
    act()
  })
  observer.observe({ type: 'paint', buffered: true })
}
